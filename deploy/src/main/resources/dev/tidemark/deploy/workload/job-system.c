/*
 * A frame that is cut into jobs. The main thread makes each job's input, a worker frees it and makes the output, and the main
 * thread frees that: nearly every block is freed by another thread than made it. Job i goes to worker i modulo the
 * workers, so that each thread's calls are the same for a seed.
 */
#include <pthread.h>
#include <semaphore.h>
#include "workload.h"

enum { JOBS = 96, MOST_WORKERS = 64 };

struct job {
    void *input;
    void *output;
    uint64_t random;
};

struct worker {
    pthread_t thread;
    sem_t begin;
    sem_t done;
    struct job *jobs;
    size_t first, step, jobs_count;
    struct tally tally;
    int is_last;
};

static void run_job(struct job *job, struct tally *tally) {
    void *scratch[8];
    for (int i = 0; i < 8; i++)
        scratch[i] = make(tally, size_between(&job->random, 4, 10));
    job->output = make(tally, size_between(&job->random, 6, 15));
    for (int i = 0; i < 8; i++)
        free(scratch[i]);
    free(job->input);
}

static void *work(void *argument) {
    struct worker *worker = argument;
    for (;;) {
        sem_wait(&worker->begin);
        if (worker->is_last)
            return NULL;
        for (size_t i = worker->first; i < worker->jobs_count; i += worker->step)
            run_job(&worker->jobs[i], &worker->tally);
        sem_post(&worker->done);
    }
}

static void frame(struct job *jobs, size_t count, struct worker *workers, long threads, uint64_t *random, struct tally *tally) {
    for (size_t i = 0; i < count; i++) {
        jobs[i].random = next_random(random);
        jobs[i].input = make(tally, size_between(random, 5, 13));
    }
    for (long i = 0; i < threads; i++)
        sem_post(&workers[i].begin);
    for (long i = 0; i < threads; i++)
        sem_wait(&workers[i].done);
    for (size_t i = 0; i < count; i++)
        free(jobs[i].output);
}

int main(int argc, char **argv) {
    static struct worker workers[MOST_WORKERS];
    struct options options = read_options(argc, argv);
    long threads = options.threads < MOST_WORKERS ? options.threads : MOST_WORKERS;
    size_t count = scaled(&options, JOBS);
    struct job *jobs = calloc(count + 1, sizeof *jobs);
    uint64_t random = options.seed;
    struct tally tally = {0, 0};
    tidemark_phase("jobs");
    for (long i = 0; i < threads; i++) {
        workers[i] = (struct worker){.jobs = jobs, .first = (size_t)i, .step = (size_t)threads, .jobs_count = count};
        sem_init(&workers[i].begin, 0, 0);
        sem_init(&workers[i].done, 0, 0);
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) {
            fprintf(stderr, "job-system: no thread %ld\n", i);
            return 1;
        }
    }
    struct timespec begun;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    for (long i = 0; i < options.count; i++) {
        frame(jobs, count, workers, threads, &random, &tally);
        await_period(&options, &begun);
        tidemark_frame();
    }
    for (long i = 0; i < threads; i++) {
        workers[i].is_last = 1;
        sem_post(&workers[i].begin);
        pthread_join(workers[i].thread, NULL);
        tally.blocks += workers[i].tally.blocks;
        tally.bytes += workers[i].tally.bytes;
    }
    free(jobs);
    printf("job-system: %ld frames, %lu blocks, %lu bytes\n", options.count, tally.blocks, tally.bytes);
    return 0;
}
