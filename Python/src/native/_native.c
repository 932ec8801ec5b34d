/* The bridge between Python and libassay: one type for each kind of object, and Arrow structures in capsules.
 *
 * Built against the limited API, so that one wheel supports every Python from 3.10 on. It contains no policy: the
 * Python code combines these functions. The GIL is released while values are checked.
 *
 * Source: https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <assay/assay.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct PyModuleDef definition;

typedef struct module_state {
    PyObject *error_class; /* called with the list of faults; NULL until the package has set it */
    PyTypeObject *rules_type;
    PyTypeObject *result_type;
    PyTypeObject *stream_type;
    PyTypeObject *tally_type;
    PyTypeObject *seen_type;
} module_state;

static module_state *state_of(PyObject *object) { return (module_state *)PyType_GetModuleState(Py_TYPE(object)); }

/* -- Faults ------------------------------------------------------------------------------------------------------- */

/* Raises a fault as the exception of the package, and frees the fault. Returns NULL. */
static PyObject *raise_fault(module_state *state, assay_fault *fault)
{
    PyObject *faults = PyList_New(0);
    for (const assay_fault *one = fault; faults != NULL && one != NULL; one = one->next) {
        PyObject *item = Py_BuildValue("(iIIszs)", (int)one->code, (unsigned)one->line, (unsigned)one->column,
                                       one->message, one->hint, one->text);
        if (item == NULL || PyList_Append(faults, item) < 0) Py_CLEAR(faults);
        Py_XDECREF(item);
    }
    assay_fault_free(fault);
    if (faults == NULL) return NULL;
    PyObject *error = PyObject_CallFunctionObjArgs(state->error_class, faults, NULL);
    Py_DECREF(faults);
    if (error == NULL) return NULL;
    PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_DECREF(error);
    return NULL;
}

static PyObject *set_error_class(PyObject *module, PyObject *error_class)
{
    module_state *state = PyModule_GetState(module);
    PyObject *previous = state->error_class;
    state->error_class = Py_NewRef(error_class);
    Py_XDECREF(previous);
    Py_RETURN_NONE;
}

/* -- Options ------------------------------------------------------------------------------------------------------ */

/* The state of a running check: signals, and a progress callback of Python. An exception of either ends the run, and is
 * raised after the run. */
typedef struct progress_call {
    PyObject *callback; /* borrowed; None: no callback */
    unsigned long caller;
    double looked; /* the time when the GIL was last taken to handle signals */
    PyObject *type, *value, *trace;
} progress_call;

/* The maximum delay of a signal, in seconds. Not less, because taking the GIL costs up to 5 ms if other Python
 * threads are busy. */
static const double signal_patience = 0.05;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Reports progress. Any worker thread may call it. Python handles signals only in its main thread; in other threads,
 * PyErr_CheckSignals() has no effect. */
static bool report_progress(void *context, uint64_t done, uint64_t total)
{
    progress_call *call = context;
    bool looks = PyThread_get_thread_ident() == call->caller;
    /* Never skip the last call. While values are repaired, done and total are 0. */
    if (looks && (done != total || total == 0)) {
        const double now = seconds_now();
        looks = now - call->looked >= signal_patience;
        if (looks) call->looked = now;
    }
    if (!looks && call->callback == Py_None) return true;
    PyGILState_STATE gil = PyGILState_Ensure();
    bool continues = !looks || PyErr_CheckSignals() == 0;
    if (continues && call->callback != Py_None) {
        PyObject *answer =
            PyObject_CallFunction(call->callback, "KK", (unsigned long long)done, (unsigned long long)total);
        continues = answer != NULL;
        Py_XDECREF(answer);
    }
    if (!continues) PyErr_Fetch(&call->type, &call->value, &call->trace);
    PyGILState_Release(gil);
    return continues;
}

/* Reads a number of threads, which must be at least 0. For PyArg_ParseTuple. */
static int read_threads(PyObject *object, void *threads)
{
    const long number = PyLong_AsLong(object);
    if (number == -1 && PyErr_Occurred() != NULL) return 0;
    if (number < 0 || number > UINT16_MAX) {
        PyErr_Format(PyExc_ValueError, "threads is %ld: it is a number of threads, or 0 for one for each processor",
                     number);
        return 0;
    }
    *(unsigned *)threads = (unsigned)number;
    return 1;
}

static assay_options options_with(unsigned threads, unsigned long long first_record, progress_call *call)
{
    call->caller = PyThread_get_thread_ident();
    call->looked = seconds_now();
    return (assay_options){
        .size = sizeof(assay_options),
        .threads = threads,
        .first_record = first_record,
        .progress = report_progress,
        .progress_context = call,
    };
}

/* Raises the exception of a signal or a progress callback, if there is one; otherwise the fault. */
static PyObject *raise_after(module_state *state, assay_fault *fault, progress_call *call)
{
    if (call->type == NULL) return raise_fault(state, fault);
    assay_fault_free(fault);
    PyErr_Restore(call->type, call->value, call->trace);
    call->type = call->value = call->trace = NULL;
    return NULL;
}

/* -- Arrow in capsules -------------------------------------------------------------------------------------------- */

static void free_schema_capsule(PyObject *capsule)
{
    struct ArrowSchema *schema = PyCapsule_GetPointer(capsule, "arrow_schema");
    if (schema == NULL) return;
    if (schema->release != NULL) schema->release(schema);
    free(schema);
}

static void free_array_capsule(PyObject *capsule)
{
    struct ArrowArray *array = PyCapsule_GetPointer(capsule, "arrow_array");
    if (array == NULL) return;
    if (array->release != NULL) array->release(array);
    free(array);
}

static void free_stream_capsule(PyObject *capsule)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (stream == NULL) return;
    if (stream->release != NULL) stream->release(stream);
    free(stream);
}

/* The kinds of Arrow array that a result can be exported as. */
enum { KIND_VERDICTS = 0, KIND_NULLABLE_VERDICTS = 1, KIND_REASONS = 2, KIND_FINDINGS = 3, KIND_KEYS = 4 };

static assay_fault *export_result(const assay_result *result, int kind, uint64_t limit, struct ArrowArray *array,
                                  struct ArrowSchema *schema)
{
    switch (kind) {
    case KIND_VERDICTS:
        return assay_result_export_verdicts(result, 0, array, schema);
    case KIND_NULLABLE_VERDICTS:
        return assay_result_export_verdicts(result, ASSAY_VERDICTS_NULLABLE, array, schema);
    case KIND_REASONS:
        return assay_result_export_reasons(result, array, schema);
    case KIND_KEYS:
        return assay_result_export_keys(result, array, schema);
    default:
        return assay_result_export_findings(result, limit, array, schema);
    }
}

/* -- Tally -------------------------------------------------------------------------------------------------------- */

typedef struct tally_object {
    PyObject_HEAD assay_tally *tally;
} tally_object;

typedef struct result_object {
    PyObject_HEAD assay_result *result;
} result_object;

static PyObject *tally_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    (void)arguments, (void)keywords;
    tally_object *self = (tally_object *)PyType_GenericNew(type, NULL, NULL);
    if (self != NULL) self->tally = assay_tally_create();
    return (PyObject *)self;
}

static void tally_dealloc(tally_object *self)
{
    PyTypeObject *type = Py_TYPE(self);
    assay_tally_free(self->tally);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *tally_add(tally_object *self, PyObject *other)
{
    module_state *state = state_of((PyObject *)self);
    if (Py_TYPE(other) == state->result_type) {
        assay_tally_add(self->tally, ((result_object *)other)->result);
    } else if (Py_TYPE(other) == state->tally_type) {
        assay_tally_merge(self->tally, ((tally_object *)other)->tally);
    } else {
        PyErr_SetString(PyExc_TypeError, "a tally takes results and tallies");
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *totals_tuple(const assay_totals *totals)
{
    return Py_BuildValue("(KKKKK)", (unsigned long long)totals->records, (unsigned long long)totals->clean,
                         (unsigned long long)totals->rejected, (unsigned long long)totals->undecided,
                         (unsigned long long)totals->findings);
}

static PyObject *tally_totals(tally_object *self, PyObject *unused)
{
    (void)unused;
    assay_totals totals;
    assay_tally_totals(self->tally, &totals, sizeof totals);
    return totals_tuple(&totals);
}

static const char *severity_name(assay_finding_severity severity)
{
    return severity == ASSAY_SEVERITY_REJECT ? "reject" : "warn";
}

static PyObject *tally_rules(tally_object *self, PyObject *unused)
{
    (void)unused;
    PyObject *list = PyList_New(0);
    assay_rule_count count;
    for (size_t i = 0; list != NULL && assay_tally_get(self->tally, i, &count, sizeof count); i++) {
        PyObject *item = Py_BuildValue("(zssKK)", count.column, count.rule, severity_name(count.severity),
                                       (unsigned long long)count.failed, (unsigned long long)count.undecided);
        if (item == NULL || PyList_Append(list, item) < 0) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyMethodDef tally_methods[] = {
    {"add", (PyCFunction)tally_add, METH_O, NULL},
    {"totals", (PyCFunction)tally_totals, METH_NOARGS, NULL},
    {"rules", (PyCFunction)tally_rules, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot tally_slots[] = {
    {Py_tp_new, tally_new},
    {Py_tp_dealloc, tally_dealloc},
    {Py_tp_methods, tally_methods},
    {0, NULL},
};

static PyType_Spec tally_spec = {"assay._native.Tally", sizeof(tally_object), 0, Py_TPFLAGS_DEFAULT, tally_slots};

/* -- Keys of records that were seen ------------------------------------------------------------------------------ */

typedef struct seen_object {
    PyObject_HEAD assay_seen_keys *seen;
} seen_object;

static void seen_dealloc(seen_object *self)
{
    PyTypeObject *type = Py_TYPE(self);
    assay_seen_keys_free(self->seen);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyType_Slot seen_slots[] = {{Py_tp_dealloc, seen_dealloc}, {0, NULL}};

static PyType_Spec seen_spec = {"assay._native.SeenKeys", sizeof(seen_object), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, seen_slots};

/* Reads the treatment of keys. None: compare them within the table; SeenKeys: also with earlier keys; 16 bytes, the
 * secret of the hashes: export them. */
static bool read_seen(module_state *state, PyObject *object, assay_options *options)
{
    if (object == Py_None) return true;
    if (PyBytes_Check(object) && PyBytes_Size(object) == 16) {
        options->key_secret = (const uint8_t *)PyBytes_AsString(object);
        return true;
    }
    if (Py_TYPE(object) != state->seen_type) {
        PyErr_SetString(PyExc_TypeError, "seen keys are made by Rules.seen_keys(), or are a secret of 16 bytes");
        return false;
    }
    options->seen = ((seen_object *)object)->seen;
    return true;
}

/* -- Results ------------------------------------------------------------------------------------------------------ */

static PyObject *new_result(module_state *state, assay_result *result)
{
    result_object *self = PyObject_New(result_object, state->result_type);
    if (self == NULL) {
        assay_result_free(result);
        return NULL;
    }
    self->result = result;
    return (PyObject *)self;
}

static void result_dealloc(result_object *self)
{
    PyTypeObject *type = Py_TYPE(self);
    assay_result_free(self->result);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *result_totals(result_object *self, PyObject *unused)
{
    (void)unused;
    assay_totals totals;
    assay_result_totals(self->result, &totals, sizeof totals);
    return totals_tuple(&totals);
}

/* export(kind, limit) -> (schema capsule, array capsule) */
static PyObject *result_export(result_object *self, PyObject *arguments)
{
    int kind;
    unsigned long long limit;
    if (!PyArg_ParseTuple(arguments, "iK", &kind, &limit)) return NULL;
    struct ArrowSchema *schema = calloc(1, sizeof *schema);
    struct ArrowArray *array = calloc(1, sizeof *array);
    if (schema == NULL || array == NULL) {
        free(schema);
        free(array);
        return PyErr_NoMemory();
    }
    assay_fault *fault;
    Py_BEGIN_ALLOW_THREADS fault = export_result(self->result, kind, limit, array, schema);
    Py_END_ALLOW_THREADS if (fault != NULL)
    {
        free(schema);
        free(array);
        return raise_fault(state_of((PyObject *)self), fault);
    }
    PyObject *schema_capsule = PyCapsule_New(schema, "arrow_schema", free_schema_capsule);
    PyObject *array_capsule = PyCapsule_New(array, "arrow_array", free_array_capsule);
    return Py_BuildValue("(NN)", schema_capsule, array_capsule);
}

/* findings(row, place, limit) -> ([(record, line, offset, column, rule, code, severity, message)], row, place)
 * At most `limit` findings from a place on, and the place after them. The start is 0, 0. */
static PyObject *result_findings(result_object *self, PyObject *arguments)
{
    unsigned long long row, place;
    Py_ssize_t limit;
    if (!PyArg_ParseTuple(arguments, "KKn", &row, &place, &limit)) return NULL;
    PyObject *list = PyList_New(0);
    assay_cursor cursor = {.row = row, .place = place};
    assay_finding findings[64];
    size_t count = 1;
    while (list != NULL && limit > 0 && count > 0) {
        count =
            assay_result_findings(self->result, &cursor, findings, sizeof *findings, limit < 64 ? (size_t)limit : 64);
        limit -= (Py_ssize_t)count;
        for (size_t i = 0; list != NULL && i < count; i++) {
            const assay_finding *finding = &findings[i];
            PyObject *item =
                Py_BuildValue("(KKKzssss)", (unsigned long long)finding->record, (unsigned long long)finding->line,
                              (unsigned long long)finding->offset, finding->column, finding->rule, finding->code,
                              severity_name(finding->severity), finding->message);
            if (item == NULL || PyList_Append(list, item) < 0) Py_CLEAR(list);
            Py_XDECREF(item);
        }
    }
    if (list == NULL) return NULL;
    return Py_BuildValue("(NKK)", list, (unsigned long long)cursor.row, (unsigned long long)cursor.place);
}

/* rows(kind) -> bytes, one bit for each row, or None */
static PyObject *result_rows(result_object *self, PyObject *arguments)
{
    int rows;
    if (!PyArg_ParseTuple(arguments, "i", &rows)) return NULL;
    const uint64_t *words = assay_result_rows(self->result, (assay_rows)rows);
    if (words == NULL) Py_RETURN_NONE;
    assay_totals totals;
    assay_result_totals(self->result, &totals, sizeof totals);
    return PyBytes_FromStringAndSize((const char *)words, (Py_ssize_t)((totals.records + 7) / 8));
}

/* rejected_by(column) -> number of records that its rules reject */
static PyObject *result_rejected_by(result_object *self, PyObject *arguments)
{
    const char *column;
    if (!PyArg_ParseTuple(arguments, "s", &column)) return NULL;
    return PyLong_FromUnsignedLongLong(assay_result_rejected_by(self->result, column));
}

static PyObject *result_over_budget(result_object *self, PyObject *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLongLong(assay_result_over_budget(self->result));
}

/* ticks() -> the work of the call; for a stream, up to this batch */
static PyObject *result_ticks(result_object *self, PyObject *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLongLong(assay_result_ticks(self->result));
}

static PyMethodDef result_methods[] = {
    {"totals", (PyCFunction)result_totals, METH_NOARGS, NULL},
    {"export", (PyCFunction)result_export, METH_VARARGS, NULL},
    {"findings", (PyCFunction)result_findings, METH_VARARGS, NULL},
    {"rows", (PyCFunction)result_rows, METH_VARARGS, NULL},
    {"rejected_by", (PyCFunction)result_rejected_by, METH_VARARGS, NULL},
    {"over_budget", (PyCFunction)result_over_budget, METH_NOARGS, NULL},
    {"ticks", (PyCFunction)result_ticks, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot result_slots[] = {
    {Py_tp_dealloc, result_dealloc},
    {Py_tp_methods, result_methods},
    {0, NULL},
};

static PyType_Spec result_spec = {"assay._native.Result", sizeof(result_object), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, result_slots};

/* -- Results as an Arrow stream ----------------------------------------------------------------------------------- */

/* Must not use the Python API, because consumers read it without the GIL. */
typedef struct result_chunks {
    int kind;
    uint64_t left; /* number of findings that may still be exported */
    size_t count, next;
    char error[256];
    assay_result *results[];
} result_chunks;

static int chunk_failed(result_chunks *chunks, assay_fault *fault)
{
    strncpy(chunks->error, fault->text, sizeof chunks->error - 1);
    assay_fault_free(fault);
    return 5; /* EIO */
}

static int chunks_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    result_chunks *chunks = stream->private_data;
    struct ArrowArray array;
    assay_fault *fault = export_result(chunks->results[0], chunks->kind, 0, &array, out);
    if (fault != NULL) return chunk_failed(chunks, fault);
    array.release(&array);
    return 0;
}

static int chunks_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    result_chunks *chunks = stream->private_data;
    if (chunks->next == chunks->count) {
        memset(out, 0, sizeof *out);
        return 0;
    }
    struct ArrowSchema schema;
    assay_fault *fault = export_result(chunks->results[chunks->next++], chunks->kind, chunks->left, out, &schema);
    if (fault != NULL) return chunk_failed(chunks, fault);
    schema.release(&schema);
    if (chunks->kind == KIND_FINDINGS) chunks->left -= (uint64_t)out->length;
    return 0;
}

static const char *chunks_error(struct ArrowArrayStream *stream)
{
    return ((result_chunks *)stream->private_data)->error;
}

static void chunks_release(struct ArrowArrayStream *stream)
{
    result_chunks *chunks = stream->private_data;
    for (size_t i = 0; i < chunks->count; i++) assay_result_free(chunks->results[i]);
    free(chunks);
    stream->release = NULL;
}

/* export_stream([result], kind, limit) -> stream capsule; at least one result */
static PyObject *export_stream(PyObject *module, PyObject *arguments)
{
    module_state *state = PyModule_GetState(module);
    PyObject *list;
    int kind;
    unsigned long long limit;
    if (!PyArg_ParseTuple(arguments, "O!iK", &PyList_Type, &list, &kind, &limit)) return NULL;
    const Py_ssize_t count = PyList_Size(list);
    if (count < 1) {
        PyErr_SetString(PyExc_ValueError, "a stream needs at least one result");
        return NULL;
    }
    struct ArrowArrayStream *stream = calloc(1, sizeof *stream);
    result_chunks *chunks = calloc(1, sizeof *chunks + (size_t)count * sizeof chunks->results[0]);
    if (stream == NULL || chunks == NULL) {
        free(stream);
        free(chunks);
        return PyErr_NoMemory();
    }
    chunks->kind = kind;
    chunks->left = limit;
    *stream = (struct ArrowArrayStream){chunks_schema, chunks_next, chunks_error, chunks_release, chunks};
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PyList_GetItem(list, i);
        if (Py_TYPE(item) != state->result_type) {
            PyErr_SetString(PyExc_TypeError, "a stream is made of results");
            stream->release(stream);
            free(stream);
            return NULL;
        }
        chunks->results[chunks->count++] = assay_result_retain(((result_object *)item)->result);
    }
    return PyCapsule_New(stream, "arrow_array_stream", free_stream_capsule);
}

/* -- Streams of results ------------------------------------------------------------------------------------------- */

typedef struct stream_object {
    PyObject_HEAD assay_stream *stream;
    progress_call call; /* its callback is owned */
} stream_object;

static void stream_dealloc(stream_object *self)
{
    PyTypeObject *type = Py_TYPE(self);
    assay_stream *stream = self->stream;
    Py_BEGIN_ALLOW_THREADS assay_stream_free(stream);
    Py_END_ALLOW_THREADS Py_XDECREF(self->call.callback);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *stream_next(stream_object *self, PyObject *unused)
{
    (void)unused;
    if (self->stream == NULL) Py_RETURN_NONE;
    assay_result *result = NULL;
    assay_fault *fault;
    /* Detach the stream, so that no other thread can read it while the GIL is released. */
    assay_stream *stream = self->stream;
    self->stream = NULL;
    self->call.caller = PyThread_get_thread_ident();
    Py_BEGIN_ALLOW_THREADS fault = assay_stream_next(stream, &result);
    Py_END_ALLOW_THREADS self->stream = stream;
    if (fault != NULL) return raise_after(state_of((PyObject *)self), fault, &self->call);
    if (result == NULL) Py_RETURN_NONE;
    return new_result(state_of((PyObject *)self), result);
}

static PyMethodDef stream_methods[] = {
    {"next", (PyCFunction)stream_next, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot stream_slots[] = {
    {Py_tp_dealloc, stream_dealloc},
    {Py_tp_methods, stream_methods},
    {0, NULL},
};

static PyType_Spec stream_spec = {"assay._native.Stream", sizeof(stream_object), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, stream_slots};

/* -- Rules -------------------------------------------------------------------------------------------------------- */

typedef struct rules_object {
    PyObject_HEAD assay_rules *rules;
    assay_references *references; /* NULL: foreign keys refer to files */
    PyObject *names;              /* the names of the fields, as a tuple; NULL before first use */
    struct budget *budget;        /* NULL: no limit */
    bool has_now;                 /* whether the next two are the time of all calls */
    int64_t now_seconds;
    uint32_t now_nanoseconds;
    PyObject *lender; /* the owner of the references; NULL: this object */
} rules_object;

/* The limits of all calls with these rules together; 0: no limit. One Python call makes these calls in sequence, so
 * no lock is needed. */
typedef struct budget {
    uint64_t ticks, bytes, nanoseconds;
    double start;
} budget;

/* Sets the time and the limits of the next call. An exhausted budget has one tick, because 0 means no limit. */
static void give_terms(const rules_object *self, assay_options *options)
{
    options->has_now = self->has_now;
    options->now_seconds = self->now_seconds;
    options->now_nanoseconds = self->now_nanoseconds;
    const budget *given = self->budget;
    if (given == NULL) return;
    options->budget_ticks = given->ticks;
    options->budget_bytes = given->bytes;
    if (given->nanoseconds == 0) return;
    const double passed = (seconds_now() - given->start) * 1e9;
    options->budget_nanoseconds = passed < (double)given->nanoseconds ? given->nanoseconds - (uint64_t)passed : 1;
}

/* Subtracts the work of a call from the budget. */
static void take_from_budget(const rules_object *self, const assay_result *result)
{
    budget *given = self->budget;
    if (given == NULL || given->ticks == 0 || result == NULL) return;
    const uint64_t used = assay_result_ticks(result);
    given->ticks = used < given->ticks ? given->ticks - used : 1;
}

static void rules_dealloc(rules_object *self)
{
    PyTypeObject *type = Py_TYPE(self);
    if (self->lender == NULL) assay_references_free(self->references);
    assay_rules_free(self->rules);
    free(self->budget);
    Py_XDECREF(self->lender);
    Py_XDECREF(self->names);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *new_rules(module_state *state, assay_fault *fault, assay_rules *rules)
{
    if (fault != NULL) return raise_fault(state, fault);
    rules_object *self = PyObject_New(rules_object, state->rules_type);
    if (self == NULL) {
        assay_rules_free(rules);
        return NULL;
    }
    self->rules = rules;
    self->references = NULL;
    self->budget = NULL;
    self->has_now = false;
    self->now_seconds = 0;
    self->now_nanoseconds = 0;
    self->lender = NULL;
    self->names = NULL;
    return (PyObject *)self;
}

/* parse(text, name, trust, folder=None) -> Rules. Untrusted rules may name only files in `folder`. */
static PyObject *parse(PyObject *module, PyObject *arguments)
{
    const char *text, *name;
    Py_ssize_t count;
    int trusts;
    PyObject *folder = NULL;
    if (!PyArg_ParseTuple(arguments, "s#sp|O&", &text, &count, &name, &trusts, PyUnicode_FSConverter, &folder))
        return NULL;
    assay_rules *rules = NULL;
    assay_fault *fault =
        folder != NULL ? assay_rules_parse_within(text, (size_t)count, name, PyBytes_AsString(folder), &rules)
                       : (trusts ? assay_rules_parse_trusted : assay_rules_parse)(text, (size_t)count, name, &rules);
    Py_XDECREF(folder);
    return new_rules(PyModule_GetState(module), fault, rules);
}

/* load(path, trust) -> Rules */
static PyObject *load(PyObject *module, PyObject *arguments)
{
    PyObject *path;
    int trusts;
    if (!PyArg_ParseTuple(arguments, "O&p", PyUnicode_FSConverter, &path, &trusts)) return NULL;
    assay_rules *rules = NULL;
    assay_fault *fault = (trusts ? assay_rules_load_trusted : assay_rules_load)(PyBytes_AsString(path), &rules);
    Py_DECREF(path);
    return new_rules(PyModule_GetState(module), fault, rules);
}

/* pattern(text, flags) -> Rules */
static PyObject *pattern(PyObject *module, PyObject *arguments)
{
    const char *text;
    Py_ssize_t count;
    unsigned flags;
    if (!PyArg_ParseTuple(arguments, "s#I", &text, &count, &flags)) return NULL;
    assay_rules *rules = NULL;
    assay_fault *fault = assay_rules_from_pattern(text, (size_t)count, flags, &rules);
    return new_rules(PyModule_GetState(module), fault, rules);
}

static PyObject *rules_json(rules_object *self, PyObject *unused)
{
    (void)unused;
    return PyUnicode_FromString(assay_rules_json(self->rules));
}

/* folder() -> bytes | None: the folder whose files untrusted rules may name; None: there is no such folder. */
static PyObject *rules_folder(rules_object *self, PyObject *unused)
{
    (void)unused;
    const char *folder = assay_rules_folder(self->rules);
    if (folder == NULL) Py_RETURN_NONE;
    return PyBytes_FromString(folder);
}

static PyObject *rules_fields(rules_object *self, PyObject *unused)
{
    (void)unused;
    const size_t count = assay_rules_field_count(self->rules);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < count; i++) {
        PyObject *name = PyUnicode_FromString(assay_rules_field_name(self->rules, i));
        if (name == NULL || PyList_Append(list, name) < 0) Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

/* seen_keys() -> SeenKeys, for the parts of one table */
static PyObject *rules_seen_keys(rules_object *self, PyObject *unused)
{
    (void)unused;
    module_state *state = state_of((PyObject *)self);
    assay_seen_keys *seen = NULL;
    assay_fault *fault = assay_seen_keys_create(self->rules, 0, &seen);
    if (fault != NULL) return raise_fault(state, fault);
    seen_object *object = PyObject_New(seen_object, state->seen_type);
    if (object == NULL) {
        assay_seen_keys_free(seen);
        return NULL;
    }
    object->seen = seen;
    return (PyObject *)object;
}

/* with_references([(name, stream capsule)]) -> Rules, the same, but their foreign keys refer to these tables. Takes
 * ownership of the streams. */
static PyObject *rules_with_references(rules_object *self, PyObject *list)
{
    module_state *state = state_of((PyObject *)self);
    assay_references *references = NULL;
    assay_fault *fault = assay_references_create(self->rules, 0, &references);
    if (fault != NULL) return raise_fault(state, fault);
    const Py_ssize_t count = PyList_Size(list);
    for (Py_ssize_t i = 0; i < count; i++) {
        const char *name;
        PyObject *capsule;
        struct ArrowArrayStream *source = NULL;
        if (PyArg_ParseTuple(PyList_GetItem(list, i), "sO", &name, &capsule)) {
            source = PyCapsule_GetPointer(capsule, "arrow_array_stream");
        }
        if (source != NULL) {
            Py_BEGIN_ALLOW_THREADS fault = assay_references_add_stream(references, name, source);
            Py_END_ALLOW_THREADS if (fault != NULL) raise_fault(state, fault);
        }
        if (source == NULL || fault != NULL) {
            assay_references_free(references);
            return NULL;
        }
    }
    if (PyErr_Occurred()) {
        assay_references_free(references);
        return NULL;
    }
    rules_object *object = (rules_object *)new_rules(state, NULL, assay_rules_retain(self->rules));
    if (object == NULL) {
        assay_references_free(references);
        return NULL;
    }
    object->references = references;
    return (PyObject *)object;
}

/* The same rules, which borrow the references; NULL after an exception. */
static rules_object *lent(rules_object *self)
{
    rules_object *object = (rules_object *)new_rules(state_of((PyObject *)self), NULL, assay_rules_retain(self->rules));
    if (object == NULL) return NULL;
    object->lender = self->lender != NULL ? self->lender : (PyObject *)self;
    Py_INCREF(object->lender);
    object->references = self->references;
    object->has_now = self->has_now;
    object->now_seconds = self->now_seconds;
    object->now_nanoseconds = self->now_nanoseconds;
    return object;
}

/* now() -> (seconds, nanoseconds) | None, the value of now() for all checks; None: no rule uses it, or the library
 * reads the clock */
static PyObject *rules_now(rules_object *self, PyObject *unused)
{
    (void)unused;
    if (!self->has_now || !assay_rules_uses_now(self->rules)) Py_RETURN_NONE;
    return Py_BuildValue("LI", (long long)self->now_seconds, (unsigned)self->now_nanoseconds);
}

/* with_now(seconds, nanoseconds) -> Rules, the same with a value of now() for all checks */
static PyObject *rules_with_now(rules_object *self, PyObject *arguments)
{
    long long seconds;
    unsigned nanoseconds;
    if (!PyArg_ParseTuple(arguments, "LI", &seconds, &nanoseconds)) return NULL;
    rules_object *object = lent(self);
    if (object == NULL) return NULL;
    object->has_now = true;
    object->now_seconds = seconds;
    object->now_nanoseconds = nanoseconds;
    return (PyObject *)object;
}

/* with_budget(ticks, bytes, nanoseconds) -> Rules, the same with limits for all checks together; 0: no limit. */
static PyObject *rules_with_budget(rules_object *self, PyObject *arguments)
{
    unsigned long long ticks, bytes, nanoseconds;
    if (!PyArg_ParseTuple(arguments, "KKK", &ticks, &bytes, &nanoseconds)) return NULL;
    budget *given = malloc(sizeof *given);
    if (given == NULL) return PyErr_NoMemory();
    *given = (budget){ticks, bytes, nanoseconds, seconds_now()};
    rules_object *object = lent(self);
    if (object == NULL) {
        free(given);
        return NULL;
    }
    object->budget = given;
    return (PyObject *)object;
}

/* of_reference(number) -> Rules of the table that a foreign key refers to */
static PyObject *rules_of_reference(rules_object *self, PyObject *number)
{
    const size_t foreign_key = PyLong_AsSize_t(number);
    if (PyErr_Occurred()) return NULL;
    assay_rules *rules = NULL;
    assay_fault *fault = assay_rules_of_reference(self->rules, foreign_key, &rules);
    return new_rules(state_of((PyObject *)self), fault, rules);
}

/* export_reference(number, secret) -> (schema capsule, array capsule), the hashes of the values in the file of a
 * foreign key */
static PyObject *rules_export_reference(rules_object *self, PyObject *arguments)
{
    Py_ssize_t foreign_key, length;
    const char *secret;
    if (!PyArg_ParseTuple(arguments, "ny#", &foreign_key, &secret, &length)) return NULL;
    if (length != 16) {
        PyErr_SetString(PyExc_ValueError, "a secret has 16 bytes");
        return NULL;
    }
    progress_call call = {.callback = Py_None};
    assay_options options = options_with(0, 0, &call);
    options.key_secret = (const uint8_t *)secret;
    struct ArrowSchema *schema = calloc(1, sizeof *schema);
    struct ArrowArray *array = calloc(1, sizeof *array);
    if (schema == NULL || array == NULL) {
        free(schema);
        free(array);
        return PyErr_NoMemory();
    }
    assay_fault *fault;
    Py_BEGIN_ALLOW_THREADS fault =
        assay_rules_export_reference(self->rules, (size_t)foreign_key, &options, array, schema);
    Py_END_ALLOW_THREADS if (fault != NULL)
    {
        free(schema);
        free(array);
        return raise_after(state_of((PyObject *)self), fault, &call);
    }
    PyObject *schema_capsule = PyCapsule_New(schema, "arrow_schema", free_schema_capsule);
    PyObject *array_capsule = PyCapsule_New(array, "arrow_array", free_array_capsule);
    return Py_BuildValue("(NN)", schema_capsule, array_capsule);
}

/* check_array(schema capsule, array capsule, field, threads, first_record, progress, seen) -> Result
 * field −1: the array is a record batch. seen None: the array is a complete table. */
static PyObject *rules_check_array(rules_object *self, PyObject *arguments)
{
    PyObject *schema_capsule, *array_capsule, *seen;
    Py_ssize_t field;
    unsigned threads;
    unsigned long long first_record;
    progress_call call = {0};
    if (!PyArg_ParseTuple(arguments, "OOnO&KOO", &schema_capsule, &array_capsule, &field, read_threads, &threads,
                          &first_record, &call.callback, &seen)) {
        return NULL;
    }
    const struct ArrowSchema *schema = PyCapsule_GetPointer(schema_capsule, "arrow_schema");
    if (schema == NULL) return NULL;
    const struct ArrowArray *array = PyCapsule_GetPointer(array_capsule, "arrow_array");
    if (array == NULL) return NULL;
    assay_options options = options_with(threads, first_record, &call);
    options.references = self->references;
    give_terms(self, &options);
    if (!read_seen(state_of((PyObject *)self), seen, &options)) return NULL;
    assay_result *result = NULL;
    assay_fault *fault;
    Py_BEGIN_ALLOW_THREADS fault =
        field < 0 ? assay_rules_check_arrow_table(self->rules, schema, array, &options, &result)
                  : assay_rules_check_arrow_column(self->rules, (size_t)field, schema, array, &options, &result);
    Py_END_ALLOW_THREADS if (fault != NULL) return raise_after(state_of((PyObject *)self), fault, &call);
    take_from_budget(self, result);
    return new_result(state_of((PyObject *)self), result);
}

/* open_stream(stream capsule, field, threads, first_record, progress, seen) -> Stream; takes ownership of the stream.
 * Reports progress per batch. */
static PyObject *rules_open_stream(rules_object *self, PyObject *arguments)
{
    PyObject *capsule, *callback, *seen;
    Py_ssize_t field;
    unsigned threads;
    unsigned long long first_record;
    if (!PyArg_ParseTuple(arguments, "OnO&KOO", &capsule, &field, read_threads, &threads, &first_record, &callback,
                          &seen)) {
        return NULL;
    }
    struct ArrowArrayStream *source = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (source == NULL) return NULL;
    module_state *state = state_of((PyObject *)self);
    stream_object *object = PyObject_New(stream_object, state->stream_type);
    if (object == NULL) return NULL;
    object->call = (progress_call){.callback = Py_NewRef(callback)};
    object->stream = NULL;
    assay_options options = options_with(threads, first_record, &object->call);
    options.references = self->references;
    give_terms(self, &options);
    if (!read_seen(state, seen, &options)) {
        Py_DECREF(object);
        return NULL;
    }
    assay_fault *fault;
    Py_BEGIN_ALLOW_THREADS fault =
        assay_stream_open(self->rules, field < 0 ? SIZE_MAX : (size_t)field, source, &options, &object->stream);
    Py_END_ALLOW_THREADS if (fault == NULL) return (PyObject *)object;
    Py_DECREF(object);
    return raise_fault(state, fault);
}

/* The text of a str with lone surrogates. It is invalid UTF-8, so that the value becomes a finding. */
static const uint8_t no_text[] = {0xFF};

/* Sets pointers to the texts of a tuple of str, bytes and None. The tuple must outlive the pointers. */
static bool point_at(PyObject *values, const uint8_t **pointers, size_t *lengths)
{
    const Py_ssize_t count = PyTuple_Size(values);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *value = PyTuple_GetItem(values, i);
        Py_ssize_t length = 0;
        const char *text = NULL;
        if (PyUnicode_Check(value)) {
            text = PyUnicode_AsUTF8AndSize(value, &length);
            if (text == NULL) {
                if (!PyErr_ExceptionMatches(PyExc_UnicodeError)) return false;
                PyErr_Clear();
                text = (const char *)no_text;
                length = 1;
            }
        } else if (PyBytes_Check(value)) {
            text = PyBytes_AsString(value);
            length = PyBytes_Size(value);
        } else if (value != Py_None) {
            PyErr_Format(PyExc_TypeError, "value %zd is no str, bytes or None", i);
            return false;
        }
        pointers[i] = (const uint8_t *)text;
        lengths[i] = (size_t)length;
    }
    return true;
}

/* A column of Python texts, with the object that owns them. */
typedef struct text_column {
    PyObject *values;
    const uint8_t **pointers;
    size_t *lengths;
    assay_column column;
} text_column;

static void text_column_free(text_column *column)
{
    Py_XDECREF(column->values);
    free(column->pointers);
    free(column->lengths);
}

static bool text_column_fill(text_column *column, PyObject *sequence, const char *name)
{
    /* Copy to a tuple, because another thread could change a list. */
    column->values = PySequence_Tuple(sequence);
    if (column->values == NULL) return false;
    const size_t count = (size_t)PyTuple_Size(column->values);
    column->pointers = malloc((count + 1) * sizeof *column->pointers);
    column->lengths = malloc((count + 1) * sizeof *column->lengths);
    if (column->pointers == NULL || column->lengths == NULL) {
        PyErr_NoMemory();
        return false;
    }
    column->column = (assay_column){
        .size = sizeof column->column,
        .name = name,
        .layout = ASSAY_LAYOUT_POINTERS,
        .pointers = column->pointers,
        .lengths = column->lengths,
    };
    return point_at(column->values, column->pointers, column->lengths);
}

/* check_texts(sequence, field, threads, progress) -> Result */
static PyObject *rules_check_texts(rules_object *self, PyObject *arguments)
{
    PyObject *sequence;
    Py_ssize_t field;
    unsigned threads;
    progress_call call = {0};
    if (!PyArg_ParseTuple(arguments, "OnO&O", &sequence, &field, read_threads, &threads, &call.callback)) return NULL;
    text_column column = {0};
    assay_result *result = NULL;
    if (!text_column_fill(&column, sequence, NULL)) {
        text_column_free(&column);
        return NULL;
    }
    assay_options options = options_with(threads, 0, &call);
    options.references = self->references;
    give_terms(self, &options);
    const size_t count = (size_t)PyTuple_Size(column.values);
    assay_fault *fault;
    Py_BEGIN_ALLOW_THREADS fault =
        assay_rules_check_column(self->rules, (size_t)field, &column.column, count, &options, &result);
    Py_END_ALLOW_THREADS text_column_free(&column);
    if (fault != NULL) return raise_after(state_of((PyObject *)self), fault, &call);
    take_from_budget(self, result);
    return new_result(state_of((PyObject *)self), result);
}

/* check_columns([(name, sequence)], rows, threads, progress) -> Result; each sequence has a value for each row */
static PyObject *rules_check_columns(rules_object *self, PyObject *arguments)
{
    PyObject *list;
    Py_ssize_t rows;
    unsigned threads;
    progress_call call = {0};
    if (!PyArg_ParseTuple(arguments, "O!nO&O", &PyList_Type, &list, &rows, read_threads, &threads, &call.callback)) {
        return NULL;
    }
    const size_t count = (size_t)PyList_Size(list);
    text_column *texts = calloc(count + 1, sizeof *texts);
    assay_column *columns = calloc(count + 1, sizeof *columns);
    PyObject *answer = NULL;
    if (texts == NULL || columns == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (size_t i = 0; i < count; i++) {
        const char *name;
        PyObject *sequence;
        if (!PyArg_ParseTuple(PyList_GetItem(list, (Py_ssize_t)i), "sO", &name, &sequence)) goto done;
        if (!text_column_fill(&texts[i], sequence, name)) goto done;
        const Py_ssize_t length = PyTuple_Size(texts[i].values);
        if (length != rows) {
            PyErr_Format(PyExc_ValueError, "column '%s' has %zd values, there are %zd rows", name, length, rows);
            goto done;
        }
        columns[i] = texts[i].column;
    }
    assay_options options = options_with(threads, 0, &call);
    options.references = self->references;
    give_terms(self, &options);
    assay_result *result = NULL;
    assay_fault *fault;
    Py_BEGIN_ALLOW_THREADS fault =
        assay_rules_check_columns(self->rules, columns, count, (size_t)rows, &options, &result);
    Py_END_ALLOW_THREADS take_from_budget(self, result);
    answer = fault != NULL ? raise_after(state_of((PyObject *)self), fault, &call)
                           : new_result(state_of((PyObject *)self), result);
done:
    for (size_t i = 0; texts != NULL && i < count; i++) text_column_free(&texts[i]);
    free(texts);
    free(columns);
    return answer;
}

/* The names of the fields as a tuple; borrowed. */
static PyObject *field_names(rules_object *self)
{
    if (self->names == NULL) {
        PyObject *list = rules_fields(self, NULL);
        if (list == NULL) return NULL;
        self->names = PyList_AsTuple(list);
        Py_DECREF(list);
    }
    return self->names;
}

/* Writes the decimal digits of a Python integer and returns their count; 0: it exceeds 64 bits. `digits` must have 20
 * bytes. */
static size_t write_digits(PyObject *number, uint8_t *digits)
{
    int overflow;
    const long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow != 0) return 0;
    uint8_t backwards[20];
    size_t count = 0, length = 0;
    unsigned long long rest = value < 0 ? 0ULL - (unsigned long long)value : (unsigned long long)value;
    do backwards[count++] = (uint8_t)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (value < 0) digits[length++] = '-';
    while (count > 0) digits[length++] = backwards[--count];
    return length;
}

enum { MAX_RECORD_FIELDS = 64, DIGITS = 32 };

/* Writes a float like repr() and returns the length; 0: it exceeds the consecutive exact integers, or is NaN or
 * infinite. */
static size_t write_float(PyObject *number, uint8_t *digits)
{
    const double value = PyFloat_AsDouble(number);
    if (!(value <= 0x1p53 && value >= -0x1p53)) return 0;
    char *text = PyOS_double_to_string(value, 'r', 0, Py_DTSF_ADD_DOT_0, NULL);
    if (text == NULL) {
        PyErr_Clear();
        return 0;
    }
    const size_t length = strlen(text);
    if (length <= DIGITS) memcpy(digits, text, length);
    PyMem_Free(text);
    return length <= DIGITS ? length : 0;
}

/* Sets `*text` to the text of a record's value. Numbers are written to `digits`, and floats like in Python if
 * `is_plain`. For other types, this calls `write` with the index of the field and the value, and stores the result in
 * `*owned`. Returns false if an exception is set, or, without an exception, if the text cannot be checked here. */
static bool record_text(PyObject *value, size_t field, PyObject *write, bool is_plain, uint8_t *digits,
                        PyObject **owned, const uint8_t **text, size_t *length)
{
    *text = NULL;
    *length = 0;
    if (value == Py_None) return true;
    if (PyLong_CheckExact(value)) {
        *text = digits;
        *length = write_digits(value, digits);
        if (*length > 0) return true;
    } else if (is_plain && PyFloat_CheckExact(value)) {
        *text = digits;
        *length = write_float(value, digits);
        if (*length > 0) return true;
    }
    if (!PyUnicode_Check(value) && !PyBytes_Check(value)) {
        PyObject *number = PyLong_FromSize_t(field);
        *owned = number == NULL ? NULL : PyObject_CallFunctionObjArgs(write, number, value, NULL);
        Py_XDECREF(number);
        if (*owned == NULL) return false;
        if (*owned == Py_None) {
            *text = NULL;
            return true;
        }
        value = *owned;
    }
    Py_ssize_t count = 0;
    if (PyUnicode_Check(value)) {
        *text = (const uint8_t *)PyUnicode_AsUTF8AndSize(value, &count);
        /* Clear the error, because invalid Unicode is a finding. */
        if (*text == NULL && PyErr_ExceptionMatches(PyExc_UnicodeError)) PyErr_Clear();
    } else if (PyBytes_Check(value)) {
        *text = (const uint8_t *)PyBytes_AsString(value);
        count = PyBytes_Size(value);
    }
    *length = (size_t)count;
    return *text != NULL;
}

/* accepts(dict, write, plain) -> whether a record has no findings. If False, check_columns() returns the findings. A
 * field that is not in the dict has no value. plain: bytes, whether the floats of each field are written as in
 * Python. Keeps the GIL, because a check takes less time than releasing the GIL. */
static PyObject *rules_accepts(rules_object *self, PyObject *const *arguments, Py_ssize_t argument_count)
{
    if (argument_count != 3 || !PyDict_Check(arguments[0]) || !PyBytes_Check(arguments[2])) {
        PyErr_SetString(PyExc_TypeError, "accepts(dict, write, plain)");
        return NULL;
    }
    PyObject *const record = arguments[0], *const write = arguments[1];
    PyObject *names = field_names(self);
    if (names == NULL) return NULL;
    const size_t count = (size_t)PyTuple_Size(names);
    if (count > MAX_RECORD_FIELDS || (size_t)PyBytes_Size(arguments[2]) != count) Py_RETURN_FALSE;
    const char *const plain = PyBytes_AsString(arguments[2]);
    const uint8_t *texts[MAX_RECORD_FIELDS + 1];
    size_t lengths[MAX_RECORD_FIELDS + 1];
    uint8_t digits[MAX_RECORD_FIELDS][DIGITS];
    PyObject *owned[MAX_RECORD_FIELDS], *held[MAX_RECORD_FIELDS];
    size_t field = 0;
    bool continues = true;
    for (; continues && field < count; field++) {
        owned[field] = NULL;
        PyObject *value = PyDict_GetItemWithError(record, PyTuple_GetItem(names, (Py_ssize_t)field));
        /* Own the value, because `write` may change the dict. */
        held[field] = value == NULL ? NULL : Py_NewRef(value);
        if (value == NULL && PyErr_Occurred()) {
            continues = false;
        } else {
            continues = record_text(value == NULL ? Py_None : value, field, write, plain[field] != 0, digits[field],
                                    &owned[field], &texts[field], &lengths[field]);
        }
    }
    const bool accepts = continues && assay_rules_accepts(self->rules, texts, lengths);
    while (field-- > 0) {
        Py_XDECREF(owned[field]);
        Py_XDECREF(held[field]);
    }
    if (PyErr_Occurred()) return NULL;
    return PyBool_FromLong(accepts);
}

/* check_csv(bytes, threads, progress) -> Result */
static PyObject *rules_check_csv(rules_object *self, PyObject *arguments)
{
    PyObject *bytes;
    unsigned threads;
    progress_call call = {0};
    if (!PyArg_ParseTuple(arguments, "O!O&O", &PyBytes_Type, &bytes, read_threads, &threads, &call.callback))
        return NULL;
    assay_options options = options_with(threads, 0, &call);
    give_terms(self, &options);
    const uint8_t *text = (const uint8_t *)PyBytes_AsString(bytes);
    const size_t count = (size_t)PyBytes_Size(bytes);
    assay_result *result = NULL;
    assay_fault *fault;
    Py_BEGIN_ALLOW_THREADS fault = assay_rules_check_csv(self->rules, text, count, &options, &result);
    Py_END_ALLOW_THREADS if (fault != NULL) return raise_after(state_of((PyObject *)self), fault, &call);
    return new_result(state_of((PyObject *)self), result);
}

/* Returns the counts of changed cells, unsettled cells, and cells that each repair changed:
 * (3, 0, [("trim", 2), ("missing", 1)]). Frees the changes. */
static PyObject *changes_tuple(assay_changes *changes)
{
    PyObject *list = PyList_New(0);
    assay_change_count count;
    for (size_t i = 0; list != NULL && assay_changes_get(changes, i, &count, sizeof count); i++) {
        PyObject *item = Py_BuildValue("(sK)", count.repair, (unsigned long long)count.cells);
        if (item == NULL || PyList_Append(list, item) < 0) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    const unsigned long long cells = assay_changes_cells(changes), unsettled = assay_changes_unsettled(changes);
    PyObject *tuple = list == NULL ? NULL : Py_BuildValue("(KKN)", cells, unsettled, list);
    assay_changes_free(changes);
    return tuple;
}

/* repair_array(schema capsule, array capsule, field, threads) -> ((schema capsule, array capsule) or None, changes)
 * None: no value changes. */
static PyObject *rules_repair_array(rules_object *self, PyObject *arguments)
{
    PyObject *schema_capsule, *array_capsule;
    Py_ssize_t field;
    unsigned threads;
    progress_call call = {.callback = Py_None};
    if (!PyArg_ParseTuple(arguments, "OOnO&", &schema_capsule, &array_capsule, &field, read_threads, &threads))
        return NULL;
    const struct ArrowSchema *schema = PyCapsule_GetPointer(schema_capsule, "arrow_schema");
    if (schema == NULL) return NULL;
    const struct ArrowArray *array = PyCapsule_GetPointer(array_capsule, "arrow_array");
    if (array == NULL) return NULL;
    struct ArrowSchema *repaired_schema = calloc(1, sizeof *repaired_schema);
    struct ArrowArray *repaired = calloc(1, sizeof *repaired);
    if (repaired_schema == NULL || repaired == NULL) {
        free(repaired_schema);
        free(repaired);
        return PyErr_NoMemory();
    }
    const assay_options options = options_with(threads, 0, &call);
    assay_changes *changes = NULL;
    assay_fault *fault;
    Py_BEGIN_ALLOW_THREADS fault = assay_rules_repair_arrow_column(self->rules, (size_t)field, schema, array, &options,
                                                                   repaired, repaired_schema, &changes);
    Py_END_ALLOW_THREADS if (fault != NULL || repaired->release == NULL)
    {
        free(repaired_schema);
        free(repaired);
        return fault != NULL ? raise_after(state_of((PyObject *)self), fault, &call)
                             : Py_BuildValue("(ON)", Py_None, changes_tuple(changes));
    }
    PyObject *first = PyCapsule_New(repaired_schema, "arrow_schema", free_schema_capsule);
    PyObject *second = PyCapsule_New(repaired, "arrow_array", free_array_capsule);
    return Py_BuildValue("((NN)N)", first, second, changes_tuple(changes));
}

/* Returns a new reference to a value of a repaired array: `given` if it is unchanged, otherwise bytes or str as
   `given`. */
static PyObject *repaired_value(const struct ArrowArray *array, Py_ssize_t i, PyObject *given)
{
    const uint8_t *validity = array->buffers[0];
    const int64_t *offsets = array->buffers[1];
    if (validity != NULL && (validity[i >> 3] >> (i & 7) & 1) == 0) Py_RETURN_NONE;
    const char *text = (const char *)array->buffers[2] + offsets[i];
    const Py_ssize_t length = (Py_ssize_t)(offsets[i + 1] - offsets[i]);
    if (PyBytes_Check(given)) return PyBytes_FromStringAndSize(text, length);
    if (given == Py_None) return PyUnicode_FromStringAndSize(text, length);
    PyObject *value = PyUnicode_FromStringAndSize(text, length);
    if (value != NULL) return value;
    /* Keep a value that is invalid Unicode. */
    if (!PyErr_ExceptionMatches(PyExc_UnicodeError)) return NULL;
    PyErr_Clear();
    return Py_NewRef(given);
}

/* repair_texts(sequence, field, threads) -> (list or None, changes). The sequence has str, bytes and None. None: no
 * value changes. */
static PyObject *rules_repair_texts(rules_object *self, PyObject *arguments)
{
    PyObject *sequence;
    Py_ssize_t field;
    unsigned threads;
    progress_call call = {.callback = Py_None};
    if (!PyArg_ParseTuple(arguments, "OnO&", &sequence, &field, read_threads, &threads)) return NULL;
    text_column column = {0};
    if (!text_column_fill(&column, sequence, NULL)) {
        text_column_free(&column);
        return NULL;
    }
    const Py_ssize_t count = PyTuple_Size(column.values);
    struct ArrowArray array;
    struct ArrowSchema schema;
    const assay_options options = options_with(threads, 0, &call);
    assay_changes *changes = NULL;
    assay_fault *fault;
    Py_BEGIN_ALLOW_THREADS fault = assay_rules_repair_column(self->rules, (size_t)field, &column.column, (size_t)count,
                                                             &options, &array, &schema, &changes);
    Py_END_ALLOW_THREADS if (fault != NULL)
    {
        text_column_free(&column);
        return raise_after(state_of((PyObject *)self), fault, &call);
    }
    PyObject *list = Py_NewRef(Py_None);
    if (array.release != NULL) {
        Py_DECREF(list);
        list = PyList_New(0);
        for (Py_ssize_t i = 0; list != NULL && i < count; i++) {
            PyObject *value = repaired_value(&array, i, PyTuple_GetItem(column.values, i));
            if (value == NULL || PyList_Append(list, value) < 0) Py_CLEAR(list);
            Py_XDECREF(value);
        }
        array.release(&array);
        schema.release(&schema);
    }
    text_column_free(&column);
    if (list == NULL) {
        assay_changes_free(changes);
        return NULL;
    }
    return Py_BuildValue("(NN)", list, changes_tuple(changes));
}

/* Reads a path as bytes without NUL, or None; borrowed. For PyArg_ParseTuple. */
static int read_path(PyObject *object, void *path)
{
    *(const char **)path = NULL;
    if (object == Py_None) return 1;
    char *text;
    if (PyBytes_AsStringAndSize(object, &text, NULL) < 0) return 0;
    *(const char **)path = text;
    return 1;
}

/* clean_file(input, clean, rejects, findings, changes, report, replace, annotate, threads, progress, max_findings=0,
 * head=0, encoding=None, delimiter=None, show_values=False, guard_formulas=False) -> report as JSON
 * Paths are bytes, or None. */
static PyObject *rules_clean_file(rules_object *self, PyObject *arguments)
{
    const char *input;
    assay_outputs outputs = {.size = sizeof outputs};
    int replace, annotate, show_values = 0, guard_formulas = 0;
    unsigned threads;
    unsigned long long max_findings = 0, head = 0;
    progress_call call = {0};
    if (!PyArg_ParseTuple(arguments, "yO&O&O&O&O&ppO&O|KKzzpp", &input, read_path, &outputs.clean, read_path,
                          &outputs.rejects, read_path, &outputs.findings, read_path, &outputs.changes, read_path,
                          &outputs.report, &replace, &annotate, read_threads, &threads, &call.callback, &max_findings,
                          &head, &outputs.encoding, &outputs.delimiter, &show_values, &guard_formulas)) {
        return NULL;
    }
    outputs.max_findings = max_findings;
    outputs.head = head;
    outputs.show_values = show_values != 0;
    outputs.guard_formulas = guard_formulas != 0;
    outputs.replace = replace != 0;
    outputs.annotate = annotate != 0;
    assay_options options = options_with(threads, 0, &call);
    give_terms(self, &options);
    char *report = NULL;
    assay_fault *fault;
    Py_BEGIN_ALLOW_THREADS fault = assay_clean_file(self->rules, input, &outputs, &options, &report);
    Py_END_ALLOW_THREADS if (fault != NULL) return raise_after(state_of((PyObject *)self), fault, &call);
    PyObject *text = PyUnicode_FromString(report);
    assay_text_free(report);
    return text;
}

static PyMethodDef rules_methods[] = {
    {"json", (PyCFunction)rules_json, METH_NOARGS, NULL},
    {"folder", (PyCFunction)rules_folder, METH_NOARGS, NULL},
    {"fields", (PyCFunction)rules_fields, METH_NOARGS, NULL},
    {"seen_keys", (PyCFunction)rules_seen_keys, METH_NOARGS, NULL},
    {"with_references", (PyCFunction)rules_with_references, METH_O, NULL},
    {"now", (PyCFunction)rules_now, METH_NOARGS, NULL},
    {"with_now", (PyCFunction)rules_with_now, METH_VARARGS, NULL},
    {"with_budget", (PyCFunction)rules_with_budget, METH_VARARGS, NULL},
    {"of_reference", (PyCFunction)rules_of_reference, METH_O, NULL},
    {"export_reference", (PyCFunction)rules_export_reference, METH_VARARGS, NULL},
    {"check_array", (PyCFunction)rules_check_array, METH_VARARGS, NULL},
    {"open_stream", (PyCFunction)rules_open_stream, METH_VARARGS, NULL},
    {"check_texts", (PyCFunction)rules_check_texts, METH_VARARGS, NULL},
    {"check_columns", (PyCFunction)rules_check_columns, METH_VARARGS, NULL},
    {"accepts", (PyCFunction)(void (*)(void))rules_accepts, METH_FASTCALL, NULL},
    {"check_csv", (PyCFunction)rules_check_csv, METH_VARARGS, NULL},
    {"repair_array", (PyCFunction)rules_repair_array, METH_VARARGS, NULL},
    {"repair_texts", (PyCFunction)rules_repair_texts, METH_VARARGS, NULL},
    {"clean_file", (PyCFunction)rules_clean_file, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot rules_slots[] = {
    {Py_tp_dealloc, rules_dealloc},
    {Py_tp_methods, rules_methods},
    {0, NULL},
};

static PyType_Spec rules_spec = {"assay._native.Rules", sizeof(rules_object), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, rules_slots};

/* -- Profiles and inferred rules ---------------------------------------------------------------------------------- */

/* A table that Python opens as a new stream for each pass. Its exception ends the run, and is raised after the run. */
typedef struct opened_table {
    PyObject *open;
    progress_call *call;
} opened_table;

static int open_table(void *context, struct ArrowArrayStream *stream)
{
    opened_table *table = context;
    const PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *capsule = PyObject_CallFunctionObjArgs(table->open, NULL);
    struct ArrowArrayStream *source = capsule == NULL ? NULL : PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (source != NULL) {
        *stream = *source;
        source->release = NULL;
    } else {
        PyErr_Fetch(&table->call->type, &table->call->value, &table->call->trace);
    }
    Py_XDECREF(capsule);
    PyGILState_Release(gil);
    return source == NULL ? 5 /* EIO */ : 0;
}

/* profile(rules or None, path or None, open or None, name, shows_values, threads, progress) -> JSON
 * infer(the same) -> YAML */
static PyObject *look_at(PyObject *module, PyObject *arguments, bool infers)
{
    module_state *state = PyModule_GetState(module);
    PyObject *rules, *open;
    const char *path, *name;
    int shows_values;
    unsigned threads;
    progress_call call = {0};
    if (!PyArg_ParseTuple(arguments, "OO&OspO&O", &rules, read_path, &path, &open, &name, &shows_values, read_threads,
                          &threads, &call.callback)) {
        return NULL;
    }
    if (rules != Py_None && Py_TYPE(rules) != state->rules_type) {
        PyErr_SetString(PyExc_TypeError, "rules must be Rules or None");
        return NULL;
    }
    opened_table opened = {open, &call};
    assay_table table = {.size = sizeof table, .path = path, .name = name};
    if (open != Py_None) {
        table.open = open_table;
        table.context = &opened;
    }
    const assay_rules *given = rules == Py_None ? NULL : ((rules_object *)rules)->rules;
    const assay_options options = options_with(threads, 0, &call);
    char *text = NULL;
    assay_fault *fault;
    Py_BEGIN_ALLOW_THREADS fault = infers ? assay_rules_infer(given, &table, &options, &text)
                                          : assay_rules_profile(given, &table, shows_values != 0, &options, &text);
    Py_END_ALLOW_THREADS if (fault != NULL) return raise_after(state, fault, &call);
    PyObject *answer = PyUnicode_FromString(text);
    assay_text_free(text);
    return answer;
}

static PyObject *profile(PyObject *module, PyObject *arguments) { return look_at(module, arguments, false); }
static PyObject *infer(PyObject *module, PyObject *arguments) { return look_at(module, arguments, true); }

/* -- The module --------------------------------------------------------------------------------------------------- */

/* path_keys(name) -> ([key], number of lists in the path); no keys: the name is not a path */
static PyObject *path_keys(PyObject *module, PyObject *name)
{
    (void)module;
    Py_ssize_t length = 0;
    const char *text = PyUnicode_AsUTF8AndSize(name, &length);
    if (text == NULL) return NULL;
    char *const bytes = PyMem_Malloc((size_t)length + 1);
    if (bytes == NULL) return PyErr_NoMemory();
    size_t lists = 0;
    const size_t count = assay_path_keys(text, bytes, &lists);
    PyObject *keys = PyList_New(0);
    const char *key = bytes;
    for (size_t i = 0; keys != NULL && i < count; i++, key += strlen(key) + 1) {
        PyObject *item = PyUnicode_FromString(key);
        if (item == NULL || PyList_Append(keys, item) < 0) Py_CLEAR(keys);
        Py_XDECREF(item);
    }
    PyMem_Free(bytes);
    return keys == NULL ? NULL : Py_BuildValue("(Nn)", keys, (Py_ssize_t)lists);
}

static PyMethodDef functions[] = {
    {"path_keys", path_keys, METH_O, NULL},
    {"set_error_class", set_error_class, METH_O, NULL},
    {"parse", parse, METH_VARARGS, NULL},
    {"load", load, METH_VARARGS, NULL},
    {"pattern", pattern, METH_VARARGS, NULL},
    {"export_stream", export_stream, METH_VARARGS, NULL},
    {"profile", profile, METH_VARARGS, NULL},
    {"infer", infer, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static bool add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type)
{
    *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    return *type != NULL && PyModule_AddType(module, *type) == 0;
}

static int execute(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    if (assay_abi_version() != ASSAY_ABI_VERSION) {
        PyErr_Format(PyExc_ImportError, "libassay has the interface %u, this package was built for %d",
                     (unsigned)assay_abi_version(), ASSAY_ABI_VERSION);
        return -1;
    }
    if (!add_type(module, &rules_spec, &state->rules_type) || !add_type(module, &result_spec, &state->result_type) ||
        !add_type(module, &stream_spec, &state->stream_type) || !add_type(module, &tally_spec, &state->tally_type) ||
        !add_type(module, &seen_spec, &state->seen_type)) {
        return -1;
    }
    if (PyModule_AddStringConstant(module, "release", assay_release()) < 0) return -1;
    return PyModule_AddStringConstant(module, "engine", assay_engine());
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    module_state *state = PyModule_GetState(module);
    Py_VISIT(state->error_class);
    Py_VISIT(state->rules_type);
    Py_VISIT(state->result_type);
    Py_VISIT(state->stream_type);
    Py_VISIT(state->tally_type);
    Py_VISIT(state->seen_type);
    return 0;
}

static int clear(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    Py_CLEAR(state->error_class);
    Py_CLEAR(state->rules_type);
    Py_CLEAR(state->result_type);
    Py_CLEAR(state->stream_type);
    Py_CLEAR(state->tally_type);
    Py_CLEAR(state->seen_type);
    return 0;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, execute}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,  .m_name = "assay._native", .m_size = sizeof(module_state),
    .m_methods = functions, .m_slots = module_slots,   .m_traverse = traverse,
    .m_clear = clear,
};

PyMODINIT_FUNC PyInit__native(void) { return PyModuleDef_Init(&definition); }
