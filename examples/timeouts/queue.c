/* SPDX-License-Identifier: MIT */
#include "examples/timeouts/queue.h"

static struct alarm *alarm_of(struct heap_node *node)
{
    return (struct alarm *)((char *)node - offsetof(struct alarm, own.node));
}

/* An alarm that has been taken out points at itself, which no node in a heap does. */
static void take_out(struct queue *queue, struct alarm *alarm)
{
    struct heap_node *node = &alarm->own.node;

    queue->root = heap_remove(queue->root, node);
    queue->count--;
    node->previous = node;
}

void queue_add(struct queue *queue, struct alarm *alarm, queue_rearm *rearm)
{
    alarm->own.node.key = alarm->deadline;
    pthread_mutex_lock(&queue->lock);
    queue->root = heap_add(queue->root, &alarm->own.node);
    queue->count++;
    if (alarm->deadline < queue->armed_for) {
        queue->armed_for = alarm->deadline;
        rearm(alarm->deadline);
    }
    pthread_mutex_unlock(&queue->lock);
}

void queue_remove(struct queue *queue, struct alarm *alarm)
{
    pthread_mutex_lock(&queue->lock);
    if (alarm->own.node.previous != &alarm->own.node)
        take_out(queue, alarm);
    while (queue->firing == alarm) {
        queue->waiting++;
        pthread_cond_wait(&queue->delivered, &queue->lock);
        queue->waiting--;
    }
    pthread_mutex_unlock(&queue->lock);
}

int64_t queue_deliver(struct queue *queue, queue_rearm *rearm)
{
    int64_t next;

    pthread_mutex_lock(&queue->lock);
    while (queue->root != NULL && queue->root->key <= clock_now()) {
        struct alarm *alarm = alarm_of(queue->root);

        take_out(queue, alarm);
        queue->firing = alarm;
        pthread_mutex_unlock(&queue->lock);
        alarm->fire(alarm);
        pthread_mutex_lock(&queue->lock);
        queue->firing = NULL;
        if (queue->waiting > 0)
            pthread_cond_broadcast(&queue->delivered);
    }
    next = queue->root != NULL ? queue->root->key : CLOCK_NEVER;
    queue->armed_for = next;
    if (rearm != NULL && next != CLOCK_NEVER)
        rearm(next);
    pthread_mutex_unlock(&queue->lock);
    return next;
}

size_t queue_pending(struct queue *queue)
{
    size_t count;

    pthread_mutex_lock(&queue->lock);
    count = queue->count;
    pthread_mutex_unlock(&queue->lock);
    return count;
}
