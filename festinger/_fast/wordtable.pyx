"""The word lists of `words`, laid out at import."""

from libc.stdint cimport uint64_t

from festinger._fast.hash cimport hash_key, key_of

from festinger._fast import values, words

# As secret as Python's own string hashes, and fixed by PYTHONHASHSEED with them.
cdef uint64_t secret = hash("festinger") & 0xFFFFFFFFFFFFFFFF
cdef WordTable table

assert CLOSED == values.CLOSED and CUE == values.CUE


cdef uint64_t hash_secret() noexcept:
    """What keeps a writer of prompts from aiming at slots."""
    return secret


cdef const WordTable* word_table() noexcept:
    return &table


cdef uint64_t hash_word(str text, uint64_t* key) except? 0:
    cdef bytes word = text.encode()
    assert 0 < len(word) <= WORD_BYTES_MAX
    key_of(word, len(word), key)
    return hash_key(word, len(word), key, secret)


cdef int fill_table() except -1:
    cdef uint64_t key[2]
    buckets = {}
    for text in words.LISTED:
        buckets.setdefault(hash_word(text, key) >> 56, []).append(text)
    assert sum(map(len, buckets.values())) < 9 * WORD_SLOTS // 10, "too many words"
    # The fullest first, while there is most room.
    for number, bucket in sorted(buckets.items(), key=lambda item: -len(item[1])):
        fill_bucket(number, bucket)
    return 0


cdef int fill_bucket(int number, list bucket) except -1:
    """Find a factor that gives each word of a bucket a slot to itself."""
    cdef uint64_t factor = 1
    cdef uint64_t key[2]
    cdef Word* word
    while not fits(bucket, factor):
        factor += 2
    table.factors[number] = factor
    for text in bucket:
        word = &table.words[word_slot(hash_word(text, key), factor)]
        word.key[0], word.key[1] = key[0], key[1]
        word.flags = CLOSED if text in words.CLOSED_CLASS else 0
        if text in words.CUE_WORDS:
            word.flags |= CUE
        if text in words.PATTERN_WORDS:
            word.flags |= PATTERN
        if text in words.CLOSED_CLASS | words.OPENERS:
            word.flags |= BREAKS
    return 0


cdef bint fits(list bucket, uint64_t factor) except -1:
    cdef uint64_t key[2]
    slots = {word_slot(hash_word(text, key), factor) for text in bucket}
    return len(slots) == len(bucket) and not any(
        [table.words[slot].flags for slot in slots]
    )


fill_table()
