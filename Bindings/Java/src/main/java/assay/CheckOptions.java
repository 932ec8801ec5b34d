package assay;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.time.Instant;
import java.util.function.Function;

/**
 * The options of a check or of a run over a file; see {@link #DEFAULT}.
 *
 * <p>Interrupting the calling thread ends each call that takes options, with an {@link AssayException} of the kind
 * {@code CANCELLED}. The thread remains interrupted.
 *
 * @param threads number of threads, including the caller's; 0: one per processor
 * @param firstRecord findings number the first row firstRecord + 1
 * @param keyMemory memory limit for the keys of the rules, in bytes; 0: a quarter of the memory
 * @param budgetTicks maximum work of the call, in ticks, which are nominally nanoseconds of one processor; 0: no limit.
 *     Values beyond it are undecided, with a finding of the rule {@code budget}
 * @param budgetBytes maximum size of the values that row rules need at the same time, and of repaired columns; 0: no
 *     limit
 * @param budgetNanoseconds maximum wall-clock time, as a last resort; 0: no limit
 * @param seen the keys of the earlier parts of the table, to which the check adds its own, or {@code null}
 * @param progress receives the progress, or {@code null}
 * @param now the value of {@code now()} in row rules; {@code null}: the time of the call
 */
public record CheckOptions(
        int threads, long firstRecord, long keyMemory, long budgetTicks, long budgetBytes, long budgetNanoseconds,
        SeenKeys seen, Progress progress, Instant now) {
    public CheckOptions {
        if (threads < 0) throw AssayException.argument("threads is " + threads + "; it is 0 or more");
        if (firstRecord < 0) throw AssayException.argument("firstRecord is " + firstRecord + "; it is 0 or more");
        if (keyMemory < 0) throw AssayException.argument("keyMemory is " + keyMemory + "; it is 0 or more");
        if (budgetTicks < 0 || budgetBytes < 0 || budgetNanoseconds < 0) {
            throw AssayException.argument("a bound of a budget is less than 0");
        }
    }

    public static final CheckOptions DEFAULT = new CheckOptions(0, 0, 0, 0, 0, 0, null, null, null);

    /** The options for one record: the check does not start threads, and is too short to be interrupted. */
    static final CheckOptions ALONE = DEFAULT.withThreads(1);

    public CheckOptions withThreads(int threads) {
        return new CheckOptions(
                threads, firstRecord, keyMemory, budgetTicks, budgetBytes, budgetNanoseconds, seen, progress, now);
    }

    public CheckOptions withFirstRecord(long firstRecord) {
        return new CheckOptions(
                threads, firstRecord, keyMemory, budgetTicks, budgetBytes, budgetNanoseconds, seen, progress, now);
    }

    public CheckOptions withKeyMemory(long keyMemory) {
        return new CheckOptions(
                threads, firstRecord, keyMemory, budgetTicks, budgetBytes, budgetNanoseconds, seen, progress, now);
    }

    /** Sets the limits of the call; see the parameters of the record. */
    public CheckOptions withBudget(long ticks, long bytes, long nanoseconds) {
        return new CheckOptions(threads, firstRecord, keyMemory, ticks, bytes, nanoseconds, seen, progress, now);
    }

    /** Sets the keys of the earlier parts of the table; {@code null}: each check is a separate table. */
    public CheckOptions withSeen(SeenKeys seen) {
        return new CheckOptions(
                threads, firstRecord, keyMemory, budgetTicks, budgetBytes, budgetNanoseconds, seen, progress, now);
    }

    /** Sets the callback that receives the progress and can end the call. */
    public CheckOptions withProgress(Progress progress) {
        return new CheckOptions(
                threads, firstRecord, keyMemory, budgetTicks, budgetBytes, budgetNanoseconds, seen, progress, now);
    }

    /** Sets the value of {@code now()} in row rules; {@code null}: the time of the call. */
    public CheckOptions withNow(Instant now) {
        return new CheckOptions(
                threads, firstRecord, keyMemory, budgetTicks, budgetBytes, budgetNanoseconds, seen, progress, now);
    }

    /** Calls a function of libassay with the options in the layout of C. */
    <T> T call(Function<Pointer, T> run) {
        return seen == null ? call(null, run) : seen.use(keys -> call(keys, run));
    }

    private <T> T call(Pointer keys, Function<Pointer, T> run) {
        if (this == ALONE) {
            try (Memory options = memory()) {
                return run.apply(options);
            }
        }
        if (Thread.currentThread().isInterrupted()) throw interrupted();
        try (Memory options = memory();
                Watch watch = new Watch(progress)) {
            options.setPointer(32, Watch.FUNCTION);
            options.setPointer(40, watch.context());
            options.setPointer(56, keys);
            try {
                T made = run.apply(options);
                watch.rethrow();
                return made;
            } catch (AssayException error) {
                watch.rethrow();
                boolean isInterrupted = Thread.currentThread().isInterrupted();
                throw isInterrupted && error.kind() == AssayException.Kind.CANCELLED ? interrupted() : error;
            }
        }
    }

    private static AssayException interrupted() {
        return AssayException.cancelled("the thread was interrupted, which ended the call");
    }

    private Memory memory() {
        // struct assay_options: size, threads, reserved, first_record, allocator, progress, progress_context,
        // key_memory, seen, key_secret, references, budget_ticks, budget_bytes, budget_nanoseconds, now_seconds,
        // now_nanoseconds, has_now
        Memory options = new Memory(120);
        options.clear();
        options.setLong(0, options.size());
        options.setInt(8, threads);
        options.setLong(16, firstRecord);
        options.setLong(48, keyMemory);
        options.setLong(80, budgetTicks);
        options.setLong(88, budgetBytes);
        options.setLong(96, budgetNanoseconds);
        if (now != null) {
            options.setLong(104, now.getEpochSecond());
            options.setInt(112, now.getNano());
            options.setInt(116, 1);
        }
        return options;
    }
}
