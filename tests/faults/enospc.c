/*
 * A disk that is full while a file exists: growing any file below a directory fails.
 *
 * Preload it with ENOSPC_BELOW naming the directory and ENOSPC_WHILE the file. What is
 * on the disk can be overwritten, as on a real one.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(type, name, ...) ((type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

/* Whether a file that is to reach to `end` finds no room. */
static int
refused(int fd, off_t end)
{
    const char *below = getenv("ENOSPC_BELOW"), *flag = getenv("ENOSPC_WHILE");
    char link[64], path[PATH_MAX + 1];
    struct stat found;
    ssize_t length;
    int kept = errno, result = 0;

    if (below && flag && access(flag, F_OK) == 0 && fstat(fd, &found) == 0
        && S_ISREG(found.st_mode) && end > found.st_size) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        length = readlink(link, path, PATH_MAX);
        if (length > 0) {
            path[length] = '\0';
            result = strncmp(path, below, strlen(below)) == 0;
        }
    }
    errno = result ? ENOSPC : kept;
    return result;
}

static off_t
total(const struct iovec *parts, int count)
{
    off_t sum = 0;

    while (count-- > 0)
        sum += parts[count].iov_len;
    return sum;
}

ssize_t
write(int fd, const void *data, size_t size)
{
    struct stat found;
    off_t at = lseek(fd, 0, SEEK_CUR);

    if (at >= 0 && fcntl(fd, F_GETFL) & O_APPEND && fstat(fd, &found) == 0)
        at = found.st_size;
    if (at >= 0 && refused(fd, at + size))
        return -1;
    return REAL(ssize_t, "write", int, const void *, size_t)(fd, data, size);
}

ssize_t
pwrite(int fd, const void *data, size_t size, off_t at)
{
    if (refused(fd, at + size))
        return -1;
    return REAL(ssize_t, "pwrite", int, const void *, size_t, off_t)(fd, data, size, at);
}

ssize_t
pwritev(int fd, const struct iovec *parts, int count, off_t at)
{
    if (refused(fd, at + total(parts, count)))
        return -1;
    return REAL(ssize_t, "pwritev", int, const struct iovec *, int, off_t)(
        fd, parts, count, at);
}

/* It returns the error instead of setting it. */
int
posix_fallocate(int fd, off_t at, off_t size)
{
    if (refused(fd, at + size))
        return ENOSPC;
    return REAL(int, "posix_fallocate", int, off_t, off_t)(fd, at, size);
}

int
ftruncate(int fd, off_t size)
{
    if (refused(fd, size))
        return -1;
    return REAL(int, "ftruncate", int, off_t)(fd, size);
}

/* Where off_t has 64 bits anyway, these are the same under another name. */
ssize_t pwrite64(int, const void *, size_t, off_t) __attribute__((alias("pwrite")));
ssize_t pwritev64(int, const struct iovec *, int, off_t)
    __attribute__((alias("pwritev")));
int posix_fallocate64(int, off_t, off_t) __attribute__((alias("posix_fallocate")));
int ftruncate64(int, off_t) __attribute__((alias("ftruncate")));
