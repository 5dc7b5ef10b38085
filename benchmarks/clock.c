/*
 * A clock that is ahead by as many seconds as a file says: a 64-bit integer.
 *
 * Preload it into PostgreSQL with CLOCK_FILE naming the file.
 */

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t none = 0, *ahead = &none;

__attribute__((constructor)) static void
map_file(void)
{
    const char *path = getenv("CLOCK_FILE");
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *found;

    if (fd < 0)
        return;
    found = mmap(NULL, sizeof *ahead, PROT_READ, MAP_SHARED, fd, 0);
    if (found != MAP_FAILED)
        ahead = found;
    close(fd);
}

/* PostgreSQL reads the time of day by this alone. */
int
gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec real;

    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &real) != 0)
        return -1;
    now->tv_sec = real.tv_sec + *ahead;
    now->tv_usec = real.tv_nsec / 1000;
    return 0;
}
