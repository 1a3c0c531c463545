"""Read every member of an archive through bare libarchive and drop the bytes."""
import ctypes
import ctypes.util
import json
import sys
import zipfile
from time import process_time


def through_libarchive(path):
    name = ctypes.util.find_library("archive")
    if not name:
        return None
    library = ctypes.CDLL(name)
    library.archive_read_new.restype = ctypes.c_void_p
    archive = ctypes.c_void_p(library.archive_read_new())
    library.archive_read_support_format_all(archive)
    library.archive_read_support_filter_all(archive)
    if library.archive_read_open_filename(archive, path.encode(), 1 << 18) != 0:
        return None
    entry, block = ctypes.c_void_p(), ctypes.c_void_p()
    size, offset, total = ctypes.c_size_t(), ctypes.c_int64(), 0
    places = ctypes.byref(block), ctypes.byref(size), ctypes.byref(offset)
    read = library.archive_read_data_block
    while library.archive_read_next_header(archive, ctypes.byref(entry)) == 0:
        while read(archive, *places) == 0:
            total += size.value
    library.archive_read_free(archive)
    return total


def through_zlib(path):
    total = 0
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            with archive.open(member) as stream:
                while piece := stream.read(1 << 18):
                    total += len(piece)
    return total


start = process_time()
how, total = "libarchive", through_libarchive(sys.argv[1])
if total is None:
    start = process_time()
    how, total = "zlib", through_zlib(sys.argv[1])
print(json.dumps({"bytes": total, "cpu": process_time() - start, "how": how}))
