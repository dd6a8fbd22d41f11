// What Swift cannot do by itself with libpng: it reports errors by longjmp, which must not cross Swift frames.
//
// Each function here sets its own landing place, so an error inside libpng becomes a return value. No callback
// leads back into Swift.
#pragma once

#include <png.h>
#include <setjmp.h>
#include <string.h>

/// A PNG being read from memory.
typedef struct {
    png_structp png;
    png_infop info;
    /// The file; valid only during a call.
    const unsigned char *bytes;
    size_t count;
    /// How much of the file was read.
    size_t position;
    /// What libpng said when it gave up.
    char message[96];
} pngshim_reader;

/// Gives libpng the next bytes of the file.
static inline void pngshim_read(png_structp png, png_bytep target, size_t wanted) {
    pngshim_reader *reader = (pngshim_reader *)png_get_io_ptr(png);
    if (wanted > reader->count - reader->position) png_error(png, "the file ends too early");
    memcpy(target, reader->bytes + reader->position, wanted);
    reader->position += wanted;
}

/// Keeps the message and leaves libpng.
static inline void pngshim_fail(png_structp png, png_const_charp message) {
    pngshim_reader *reader = (pngshim_reader *)png_get_error_ptr(png);
    strncpy(reader->message, message, sizeof reader->message - 1);
    png_longjmp(png, 1);
}

/// Passes over what libpng only warns of.
static inline void pngshim_warn(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

/// Sets the reader up and reads everything before the pixels.
///
/// Returns 0, or -1 with a message. Call pngshim_close in either case.
static inline int pngshim_open(pngshim_reader *reader, const unsigned char *bytes, size_t count,
                               unsigned int greatest_side, size_t greatest_chunk) {
    memset(reader, 0, sizeof *reader);
    reader->bytes = bytes;
    reader->count = count;
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, pngshim_fail, pngshim_warn);
    if (reader->png == NULL) {
        strcpy(reader->message, "no memory for the PNG library");
        return -1;
    }
    if (setjmp(png_jmpbuf(reader->png))) return -1;
    reader->info = png_create_info_struct(reader->png);
    if (reader->info == NULL) png_error(reader->png, "no memory for the PNG library");
    png_set_read_fn(reader->png, reader, pngshim_read);
    png_set_user_limits(reader->png, greatest_side, greatest_side);
    png_set_chunk_malloc_max(reader->png, greatest_chunk);
    png_set_chunk_cache_max(reader->png, 16);
    // Texts and the like, some of them compressed, are of no use here.
    static const unsigned char unused[] = "bKGD\0hIST\0iTXt\0oFFs\0pCAL\0pHYs\0sCAL\0sPLT\0tEXt\0tIME\0zTXt";
    png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, unused, sizeof unused / 5);
    png_read_info(reader->png, reader->info);
    return 0;
}

/// Has all pixels come as 8-bit gray, gray and alpha, RGB or RGBA.
///
/// Returns how often the rows have to be read (7 times if interlaced), or -1 with a message.
static inline int pngshim_start(pngshim_reader *reader, const unsigned char *bytes) {
    png_structp png = reader->png;
    reader->bytes = bytes;
    if (setjmp(png_jmpbuf(png))) return -1;
    png_set_expand(png);
    png_set_scale_16(png);
    // A gamma value counts only where nothing better describes the colours; 0.45455 is what screens have anyway.
    png_fixed_point gamma;
    if (!png_get_valid(png, reader->info, PNG_INFO_sRGB | PNG_INFO_iCCP) &&
        png_get_gAMA_fixed(png, reader->info, &gamma)) {
        png_set_gamma_fixed(png, PNG_DEFAULT_sRGB, gamma);
    }
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, reader->info);
    return passes;
}

/// Reads the next row, or adds to it what the current pass of an interlaced file brings.
///
/// Returns 0, or -1 with a message.
static inline int pngshim_read_row(pngshim_reader *reader, const unsigned char *bytes, unsigned char *row) {
    reader->bytes = bytes;
    if (setjmp(png_jmpbuf(reader->png))) return -1;
    png_read_row(reader->png, row, NULL);
    return 0;
}

/// The embedded colour profile, valid until pngshim_close; NULL if there is none.
static inline const unsigned char *pngshim_profile(pngshim_reader *reader, unsigned int *count) {
    png_charp name;
    int compression;
    png_bytep profile = NULL;
    if (!png_get_iCCP(reader->png, reader->info, &name, &compression, &profile, count)) return NULL;
    return profile;
}

/// The EXIF data, valid until pngshim_close; NULL if there is none.
static inline const unsigned char *pngshim_exif(pngshim_reader *reader, unsigned int *count) {
    png_bytep exif = NULL;
    if (!png_get_eXIf_1(reader->png, reader->info, count, &exif)) return NULL;
    return exif;
}

/// Frees everything.
static inline void pngshim_close(pngshim_reader *reader) {
    if (reader->png != NULL) png_destroy_read_struct(&reader->png, &reader->info, NULL);
}
