"""A memory that arrives as binary COPY streams, in parts cut anywhere.

Nobody else has the tables before they are whole, so that they fill without the GIL, and
what is corrupt leaves nothing behind.
"""

cimport cython
from libc.string cimport memset

from festinger._fast.edges cimport fit_edges
from festinger._fast.graph cimport Graph
from festinger._fast.loading cimport (
    close_stream,
    feed_edges,
    feed_encounters,
    feed_words,
    raise_with_row,
)
from festinger._fast.records cimport fit_records
from festinger._fast.stream cimport Stream, begin
from festinger._fast.vocabulary cimport Vocabulary

from festinger._fast.values import SEED


cdef enum:
    WORDS
    ENCOUNTERS
    EDGES
    KINDS


@cython.final
cdef class Loader:
    """Three streams of one memory: words, then their encounters; edges at any time.

    `seed` and `mask_bits` shape the hash tables: tests use them to force collisions.
    """

    cdef Vocabulary vocabulary
    cdef Graph graph
    cdef Stream[KINDS] streams
    # What has come of a stream and could not be read yet.
    cdef list rests
    cdef bint[KINDS] busy

    def __cinit__(self, *, seed=SEED, mask_bits=64):
        self.vocabulary = Vocabulary(seed=seed, mask_bits=mask_bits)
        self.graph = Graph(seed=seed, mask_bits=mask_bits)
        self.rests = [bytearray() for _ in range(KINDS)]
        memset(self.streams, 0, sizeof(self.streams))
        memset(self.busy, 0, sizeof(self.busy))

    def words(self, bytes part not None):
        """Take a part of the words.

        Its columns are id int8, token text, novelty float8 and dictionary bool.

        Raises:
            ValueError: The stream is corrupt, or has a token or an id twice. The
                loader is of no use any more.
        """
        self.feed(WORDS, part)

    def encounters(self, bytes part not None):
        """Take a part of the counters.

        Its columns are id int8, encounters int8 and last_seen timestamptz. Those of a
        word that is not there are left out.

        Raises:
            ValueError: The stream is corrupt, or comes before the words have ended.
                The loader is of no use any more.
        """
        if not self.streams[WORDS].ended:
            raise ValueError("encounters before the words have ended")
        self.feed(ENCOUNTERS, part)

    def edges(self, bytes part not None):
        """Take a part of the edges.

        Its columns are those of `Graph.load_copy`, but last_confirmed timestamptz.

        Raises:
            ValueError: The stream is corrupt, or names a place twice. The loader is
                of no use any more.
        """
        self.feed(EDGES, part)

    def close(self):
        """Return the vocabulary and the graph, when all streams have ended.

        Raises:
            ValueError: One of them has not.
        """
        cdef int kind
        for kind in range(KINDS):
            self.claim(kind)
        # It stays claimed: the tables are somebody else's now.
        for kind in range(KINDS):
            close_stream(&self.streams[kind])
        fit_records(&self.vocabulary.table)
        fit_edges(&self.graph.table)
        return self.vocabulary, self.graph

    cdef int claim(self, int kind) except -1:
        if self.busy[kind]:
            raise ValueError("the loader is closed, broken or in use")
        self.busy[kind] = True
        return 0

    cdef int feed(self, int kind, bytes part) except -1:
        cdef Stream* stream = &self.streams[kind]
        cdef bytearray rest = self.rests[kind]
        if not part:
            return 0
        self.claim(kind)
        if stream.ended:
            raise ValueError(f"data after the trailer, at byte {stream.before}")
        if rest:
            rest += part
            if len(rest) < stream.wanted:
                stream.length = len(rest)
                self.busy[kind] = False
                return 0
            part = bytes(rest)
        stream.data = part
        stream.length = len(part)
        stream.at = 0
        try:
            with nogil:
                self.take(kind, stream)
        except ValueError as error:
            raise_with_row(stream, error)
        self.rests[kind] = bytearray(part[stream.at :])
        stream.before += stream.at
        stream.length -= stream.at
        self.busy[kind] = False
        return 0

    cdef int take(self, int kind, Stream* stream) except -1 nogil:
        if not stream.begun:
            begin(stream)
        if kind == WORDS:
            return feed_words(&self.vocabulary.table, stream)
        if kind == ENCOUNTERS:
            return feed_encounters(&self.vocabulary.table, stream)
        return feed_edges(&self.graph.table, stream, True)
