/* The measuring stick of deploy/bench: the least that a FastCGI program in C does for `stream`. Threads as in
 * libfcgi's own example (threaded.c): twenty, each of which accepts a connection and serves it until it ends. One
 * prepared statement per request through libmariadb, nothing kept. Not for use: it answers the list of the newest
 * photos and nothing else, and an empty reply to everything that is not `command=stream`.
 *
 *     plain SOCKET DATABASE-SOCKET USER PASSWORD DATABASE
 */
#include <fcgiapp.h>
#include <mysql.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char statement_text[] =
    "SELECT p.IdPhoto, p.title, l.IdUser, l.username "
    "FROM photos p FORCE INDEX (PRIMARY) STRAIGHT_JOIN login l ON l.IdUser = p.IdUser "
    "ORDER BY p.IdPhoto DESC LIMIT 50";
static const char head[] =
    "Expires: Thu, 19 Nov 1981 08:52:00 GMT\r\nCache-Control: no-store, no-cache, must-revalidate\r\n"
    "Pragma: no-cache\r\nContent-Type: application/json\r\n";
static const char *const keys[] = {"{\"IdPhoto\":\"", "\",\"title\":\"", "\",\"IdUser\":\"", "\",\"username\":\""};

enum { thread_count = 20, columns = 4, column_bytes = 1024 };

static char **arguments;
static int listener;

struct worker {
    MYSQL *connection;
    MYSQL_STMT *statement;
    MYSQL_BIND binds[columns];
    char values[columns][column_bytes];
    unsigned long lengths[columns];
    char body[65536];
};

static void fail(const char *what) {
    fprintf(stderr, "plain: %s\n", what);
    exit(1);
}

static void connect_database(struct worker *worker) {
    worker->connection = mysql_init(NULL);
    if (!mysql_real_connect(worker->connection, NULL, arguments[3], arguments[4], arguments[5], 0, arguments[2], 0))
        fail(mysql_error(worker->connection));
    worker->statement = mysql_stmt_init(worker->connection);
    if (mysql_stmt_prepare(worker->statement, statement_text, sizeof statement_text - 1))
        fail(mysql_stmt_error(worker->statement));
    for (int i = 0; i < columns; i++) {
        worker->binds[i].buffer_type = MYSQL_TYPE_STRING;
        worker->binds[i].buffer = worker->values[i];
        worker->binds[i].buffer_length = column_bytes;
        worker->binds[i].length = &worker->lengths[i];
    }
    mysql_stmt_bind_result(worker->statement, worker->binds);
}

/* The benchmark's titles and names are ASCII; what JSON wants escaped in them is escaped. */
static char *append_text(char *to, const char *text, unsigned long length) {
    for (unsigned long i = 0; i < length; i++) {
        if (text[i] == '"' || text[i] == '\\' || text[i] == '/')
            *to++ = '\\';
        *to++ = text[i];
    }
    return to;
}

static char *append(char *to, const char *text) {
    size_t length = strlen(text);
    memcpy(to, text, length);
    return to + length;
}

static size_t read_photos(struct worker *worker) {
    if (!worker->connection)
        connect_database(worker);
    if (mysql_stmt_execute(worker->statement))
        fail(mysql_stmt_error(worker->statement));
    char *to = append(worker->body, "{\"result\":[");
    for (int row = 0; mysql_stmt_fetch(worker->statement) == 0; row++) {
        if (row)
            *to++ = ',';
        for (int i = 0; i < columns; i++)
            to = append_text(append(to, keys[i]), worker->values[i], worker->lengths[i]);
        to = append(to, "\"}");
    }
    mysql_stmt_free_result(worker->statement);
    return append(to, "]}") - worker->body;
}

static void *serve(void *unused) {
    (void)unused;
    struct worker *worker = calloc(1, sizeof *worker);
    FCGX_Request request;
    FCGX_InitRequest(&request, listener, 0);
    while (FCGX_Accept_r(&request) == 0) {
        char form[256];
        int length = FCGX_GetStr(form, sizeof form - 1, request.in);
        form[length] = 0;
        size_t count = strcmp(form, "command=stream") == 0 ? read_photos(worker) : 0;
        FCGX_FPrintF(request.out, "%sContent-Length: %d\r\n\r\n", head, (int)count);
        FCGX_PutStr(worker->body, (int)count, request.out);
        FCGX_Finish_r(&request);
    }
    return NULL;
}

int main(int count, char **values) {
    if (count != 6)
        fail("usage: plain SOCKET DATABASE-SOCKET USER PASSWORD DATABASE");
    arguments = values;
    mysql_library_init(0, NULL, NULL);
    FCGX_Init();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    listener = FCGX_OpenSocket(values[1], 1024);
    if (listener < 0)
        fail("cannot listen");
    chmod(values[1], 0666);
    pthread_t threads[thread_count];
    for (int i = 0; i < thread_count; i++)
        if (pthread_create(&threads[i], NULL, serve, NULL))
            fail("no more threads");
    pthread_join(threads[0], NULL);
}
