/* fault.c — counts hits of named places and strikes at the wanted one. */
#include "base/fault.h"

#include "base/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { NAME_SIZE = 128 };

struct target {
    char name[NAME_SIZE];
    uint64_t wanted;
    uint64_t hits;
};

/* One set for the process, as hits come from helper threads too. */
static struct {
    pthread_mutex_t lock;
    struct target kill;
    struct target fail;
    const char *list;
    int signal_number;
} faults = { .lock = PTHREAD_MUTEX_INITIALIZER, .signal_number = SIGKILL };

enum fault_state fault_state = FAULT_UNKNOWN;

static void aim(struct target *target, str text)
{
    str name, count;

    *target = (struct target){ 0 };
    if (!str_cut_last(text, STR(":"), &name, &count) || name.len >= NAME_SIZE)
        return;
    if (!str_to_u64(count, &target->wanted))
        return;
    memcpy(target->name, name.ptr, name.len);
}

/* Under the lock. */
static void arm(str kill, str fail)
{
    aim(&faults.kill, kill);
    aim(&faults.fail, fail);
    bool is_armed = faults.kill.wanted || faults.fail.wanted || faults.list;
    __atomic_store_n(&fault_state, is_armed ? FAULT_ARMED : FAULT_OFF, __ATOMIC_RELAXED);
}

static void fault_read_settings(void)
{
    if (fault_state != FAULT_UNKNOWN)
        return;
    if (settings_text("CULUMI_FAULT_LIST").len)
        faults.list = settings_text("CULUMI_FAULT_LIST").ptr;
    faults.signal_number = (int)settings_number("CULUMI_FAULT_SIGNAL", SIGKILL);
    arm(settings_text("CULUMI_FAULT"), settings_text("CULUMI_FAIL"));
}

static void fault_note(const char *kind, const char *name)
{
    char line[NAME_SIZE + 16];

    if (!faults.list)
        return;
    int fd = open(faults.list, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    int len = snprintf(line, sizeof(line), "%s %s\n", kind, name);
    /* A list that cannot be written shows in the test that reads it. */
    if (write(fd, line, (size_t)len) < 0)
        faults.list = NULL;
    close(fd);
}

static bool is_struck(struct target *target, const char *name)
{
    return target->wanted && strcmp(target->name, name) == 0 && ++target->hits == target->wanted;
}

static bool hit(struct target *target, const char *kind, const char *name)
{
    pthread_mutex_lock(&faults.lock);
    fault_read_settings();
    fault_note(kind, name);
    bool result = is_struck(target, name);
    pthread_mutex_unlock(&faults.lock);
    return result;
}

void fault_hit_point(const char *name)
{
    if (!hit(&faults.kill, "kill", name))
        return;
    /* A stop must come before the next instruction of this thread. Any other goes to whoever gets
     * the signals of the process. */
    if (faults.signal_number == SIGSTOP)
        raise(SIGSTOP);
    else
        kill(getpid(), faults.signal_number);
}

bool fault_hit_hook(const char *name)
{
    int kept = errno;
    bool result = hit(&faults.fail, "fail", name);
    errno = result ? EIO : kept;
    return result;
}

void fault_arm(str kill, str fail)
{
    pthread_mutex_lock(&faults.lock);
    arm(kill, fail);
    pthread_mutex_unlock(&faults.lock);
}
