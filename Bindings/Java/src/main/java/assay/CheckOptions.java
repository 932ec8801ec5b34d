package assay;

import com.sun.jna.Memory;

/**
 * How to check. {@link #DEFAULT} is a good choice.
 *
 * @param threads how many work, the caller's included; 0: one for each processor
 * @param firstRecord the number of the first row, in findings, is this + 1
 * @param keyMemory the most bytes that keys of the rules may take; 0: a quarter of the memory
 */
public record CheckOptions(int threads, long firstRecord, long keyMemory) {
    public CheckOptions {
        if (threads < 0) throw AssayException.argument("threads is " + threads + "; it is 0 or more");
        if (firstRecord < 0) throw AssayException.argument("firstRecord is " + firstRecord + "; it is 0 or more");
        if (keyMemory < 0) throw AssayException.argument("keyMemory is " + keyMemory + "; it is 0 or more");
    }

    public static final CheckOptions DEFAULT = new CheckOptions(0, 0, 0);

    /** For one record: no thread is started. */
    static final CheckOptions ALONE = DEFAULT.withThreads(1);

    public CheckOptions withThreads(int threads) {
        return new CheckOptions(threads, firstRecord, keyMemory);
    }

    public CheckOptions withFirstRecord(long firstRecord) {
        return new CheckOptions(threads, firstRecord, keyMemory);
    }

    public CheckOptions withKeyMemory(long keyMemory) {
        return new CheckOptions(threads, firstRecord, keyMemory);
    }

    Memory memory() {
        // struct assay_options: size, threads, reserved, first_record, allocator, progress, progress_context, key_memory, seen,
        // key_secret, references
        Memory options = new Memory(80);
        options.clear();
        options.setLong(0, options.size());
        options.setInt(8, threads);
        options.setLong(16, firstRecord);
        options.setLong(48, keyMemory);
        return options;
    }
}
