package assay;

import com.sun.jna.Memory;

/**
 * The options of a check; see {@link #DEFAULT}.
 *
 * @param threads number of threads, including the caller's; 0: one per processor
 * @param firstRecord findings number the first row firstRecord + 1
 * @param keyMemory memory limit for the keys of the rules, in bytes; 0: a quarter of the memory
 * @param budgetTicks maximum work of the call, in ticks, which are nominally nanoseconds of one processor; 0: no limit.
 *     Values beyond it are undecided, with a finding of the rule {@code budget}
 * @param budgetBytes maximum size of the values that row rules need at the same time, and of repaired columns; 0: no
 *     limit
 * @param budgetNanoseconds maximum wall-clock time, as a last resort; 0: no limit
 */
public record CheckOptions(
        int threads, long firstRecord, long keyMemory, long budgetTicks, long budgetBytes, long budgetNanoseconds) {
    public CheckOptions {
        if (threads < 0) throw AssayException.argument("threads is " + threads + "; it is 0 or more");
        if (firstRecord < 0) throw AssayException.argument("firstRecord is " + firstRecord + "; it is 0 or more");
        if (keyMemory < 0) throw AssayException.argument("keyMemory is " + keyMemory + "; it is 0 or more");
        if (budgetTicks < 0 || budgetBytes < 0 || budgetNanoseconds < 0) {
            throw AssayException.argument("a bound of a budget is less than 0");
        }
    }

    public static final CheckOptions DEFAULT = new CheckOptions(0, 0, 0, 0, 0, 0);

    /** The options for one record: the check does not start threads. */
    static final CheckOptions ALONE = DEFAULT.withThreads(1);

    public CheckOptions withThreads(int threads) {
        return new CheckOptions(threads, firstRecord, keyMemory, budgetTicks, budgetBytes, budgetNanoseconds);
    }

    public CheckOptions withFirstRecord(long firstRecord) {
        return new CheckOptions(threads, firstRecord, keyMemory, budgetTicks, budgetBytes, budgetNanoseconds);
    }

    public CheckOptions withKeyMemory(long keyMemory) {
        return new CheckOptions(threads, firstRecord, keyMemory, budgetTicks, budgetBytes, budgetNanoseconds);
    }

    /** Sets the limits of the call; see the parameters of the record. */
    public CheckOptions withBudget(long ticks, long bytes, long nanoseconds) {
        return new CheckOptions(threads, firstRecord, keyMemory, ticks, bytes, nanoseconds);
    }

    Memory memory() {
        // struct assay_options: size, threads, reserved, first_record, allocator, progress, progress_context,
        // key_memory, seen, key_secret, references, budget_ticks, budget_bytes, budget_nanoseconds
        Memory options = new Memory(104);
        options.clear();
        options.setLong(0, options.size());
        options.setInt(8, threads);
        options.setLong(16, firstRecord);
        options.setLong(48, keyMemory);
        options.setLong(80, budgetTicks);
        options.setLong(88, budgetBytes);
        options.setLong(96, budgetNanoseconds);
        return options;
    }
}
