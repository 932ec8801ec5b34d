package assay;

/** Receives the progress of a call; see {@link CheckOptions#withProgress}. */
@FunctionalInterface
public interface Progress {
    /**
     * Called regularly, by one thread at a time, which may be a thread of the library. An exception ends the call and
     * is thrown to its caller.
     *
     * @param done rows or bytes
     * @param total of the same unit; 0: unknown
     * @return whether to continue; otherwise the call throws an {@link AssayException} of the kind {@code CANCELLED}
     */
    boolean report(long done, long total);
}
