print("ireporter")
