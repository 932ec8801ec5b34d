package assay;

import com.sun.jna.Pointer;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * The keys of a table that several checks process in parts, and the order of its sorted columns; see
 * {@link CheckOptions#withSeen}.
 *
 * <p>A record is rejected if an earlier record, of the same or an earlier part, has the same key. Pass the parts in
 * order, with increasing {@link CheckOptions#withFirstRecord}. Only one check at a time may use the keys; after an
 * exception, close them. Only for {@code keep: first}. Not for CSV or for foreign keys into the table itself.
 */
public final class SeenKeys implements AutoCloseable {
    private final Handle handle;
    private final Semaphore turn = new Semaphore(1);

    /** Takes ownership of seen keys of libassay. */
    SeenKeys(Pointer keys) {
        handle = new Handle(this, keys, LibAssay::assay_seen_keys_free);
    }

    <T> T use(Function<Pointer, T> check) {
        if (!turn.tryAcquire()) throw AssayException.argument("another check uses the seen keys");
        try {
            return handle.use(check);
        } finally {
            turn.release();
        }
    }

    /** Frees the keys after the check that uses them. */
    @Override
    public void close() {
        handle.close();
    }
}
