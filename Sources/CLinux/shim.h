// What Swift's Glibc module leaves out: epoll and eventfd, and names that the C library declares for _GNU_SOURCE only.
#pragma once

#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

extern int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
extern int pthread_setname_np(pthread_t thread, const char *name);

#ifndef POLLRDHUP
#define POLLRDHUP 0x2000
#endif
