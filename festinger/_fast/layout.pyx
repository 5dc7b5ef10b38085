"""Messages of protobuf read by a layout, in C, without making messages of them.

What is not as the layout has it, or not as every writer writes it, is not read at all:
then it is the business of the generated classes, whose answer is the right one.
"""

cimport cython
from cpython.bytes cimport (
    PyBytes_AS_STRING,
    PyBytes_FromStringAndSize,
    PyBytes_GET_SIZE,
)
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport INT32_MAX, uint8_t, uint64_t
from libc.string cimport memset


cdef enum:
    FIELDS_MAX = 16
    TAGS = 128  # of one byte
    NONE = 255

    WIRE_TYPE = 7
    WIRE_VARINT = 0
    WIRE_BYTES = 2

    NUMBER = 0
    TEXT = 1
    DATA = 2
    MESSAGES = 3

cdef dict kinds = {"number": NUMBER, "text": TEXT, "data": DATA}
cdef tuple nothing = (0, "", b"")


cdef struct Part:
    # What is left of a message.
    const uint8_t* at
    const uint8_t* end


@cython.final
cdef class Layout:
    """Where the fields of a message are, and what they are.

    Args:
        fields: A tag each, of one byte, and "number", "text", "data", or the layout of
            messages, of which there may be any number.
    """

    cdef uint8_t places[TAGS]  # of the fields, by tag
    cdef uint8_t types[FIELDS_MAX]
    cdef list layouts
    cdef Py_ssize_t count

    def __init__(self, fields):
        cdef int tag, wanted
        memset(self.places, NONE, TAGS)
        self.layouts = []
        if len(fields) > FIELDS_MAX:
            raise ValueError(f"{len(fields)} fields; at most {FIELDS_MAX} can be read")
        for tag, kind in fields:
            nested = isinstance(kind, Layout)
            wanted = WIRE_BYTES if nested or kind != "number" else WIRE_VARINT
            if not 0 <= tag < TAGS or tag & WIRE_TYPE != wanted:
                raise ValueError(f"{tag} is no tag of {kind}")
            self.places[tag] = <uint8_t>len(self.layouts)
            self.types[len(self.layouts)] = MESSAGES if nested else kinds[kind]
            self.layouts.append(kind if nested else None)
        self.count = len(self.layouts)

    def read(self, bytes data not None):
        """Read a message.

        Returns:
            The fields in the order of the layout: 0, "", b"" or [] for what is not
            there. None if there is more in it, or anything odd: it may be a message
            all the same.
        """
        cdef Part part
        part.at = <const uint8_t*>PyBytes_AS_STRING(data)
        part.end = part.at + PyBytes_GET_SIZE(data)
        return self.read_part(&part)

    cdef tuple read_part(self, Part* part):
        cdef list values = [
            [] if self.types[place] == MESSAGES else nothing[self.types[place]]
            for place in range(self.count)
        ]
        cdef uint8_t place
        cdef uint64_t number = 0
        while part.at < part.end:
            place = self.places[part.at[0]] if part.at[0] < TAGS else NONE
            part.at += 1
            if place == NONE or not take_number(part, &number):
                return None
            if self.types[place] == NUMBER:
                values[place] = number
            elif number > <uint64_t>(part.end - part.at) or not self.take(
                part, number, place, values
            ):
                return None
        return tuple(values)

    cdef bint take(
        self, Part* part, Py_ssize_t length, uint8_t place, list values
    ) except -1:
        """Take a field of so many bytes; false if it is odd."""
        cdef Part within
        cdef const char* data = <const char*>part.at
        cdef int kind = self.types[place]
        part.at += length
        if kind == DATA:
            values[place] = PyBytes_FromStringAndSize(data, length)
        elif kind == TEXT:
            try:
                values[place] = PyUnicode_DecodeUTF8(data, length, NULL)
            except UnicodeDecodeError:
                return False
        else:
            within.at, within.end = <const uint8_t*>data, part.at
            read = (<Layout>self.layouts[place]).read_part(&within)
            if read is None:
                return False
            (<list>values[place]).append(read)
        return True


cdef bint take_number(Part* part, uint64_t* number) noexcept:
    """Take a varint of 31 bits; false if it is longer, or cut off."""
    cdef int shift = 0
    cdef uint8_t byte
    number[0] = 0
    while part.at < part.end and shift < 35:
        byte = part.at[0]
        part.at += 1
        number[0] |= <uint64_t>(byte & 0x7F) << shift
        if byte < 0x80:
            return number[0] <= INT32_MAX
        shift += 7
    return False
