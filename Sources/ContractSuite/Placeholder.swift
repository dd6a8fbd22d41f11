// Placeholder: replaced by this module's first file.
