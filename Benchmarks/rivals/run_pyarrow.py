"""pyarrow: batches of the CSV reader, one vectorized match per column (RE2), two writers.

The columns of a batch are checked on all threads, because pyarrow's compute functions release the GIL.
"""

import concurrent.futures

import pyarrow
import pyarrow.compute as pc
import pyarrow.csv

import job


def run(task):
    pyarrow.set_cpu_count(task.threads)
    pyarrow.set_io_thread_count(task.threads)
    answer = job.Answer()
    text = {name: pyarrow.string() for name in task.rules}
    patterns = {name: rf"\A(?:{pattern})\z" for name, pattern in task.rules.items()}
    pool = concurrent.futures.ThreadPoolExecutor(task.threads)
    reader = pyarrow.csv.open_csv(
        task.input, read_options=pyarrow.csv.ReadOptions(use_threads=task.threads > 1, block_size=4 << 20),
        convert_options=pyarrow.csv.ConvertOptions(column_types=text, strings_can_be_null=False))
    schema = reader.schema
    with pyarrow.csv.CSVWriter(task.valid, schema) as valid, \
            pyarrow.csv.CSVWriter(task.rejects, schema.append(pyarrow.field("reasons", pyarrow.string()))) as rejects:
        for batch in reader:
            masks = pool.map(lambda name: pc.match_substring_regex(batch[name], patterns[name]), task.rules)
            matches = dict(zip(task.rules, masks))
            good = None
            for mask in matches.values():
                good = mask if good is None else pc.and_(good, mask)
            passed = good.true_count
            answer.records += len(batch)
            if passed == len(batch):
                valid.write_batch(batch)
                continue
            answer.rejected += len(batch) - passed
            valid.write_batch(batch.filter(good))
            bad = pc.invert(good)
            reasons = []
            for name, mask in matches.items():
                failed = pc.invert(mask.filter(bad))
                answer.failed[name] += failed.true_count
                reasons.append(pc.if_else(failed, name + ";", ""))
            rejected = batch.filter(bad)
            reason = pc.binary_join_element_wise(*reasons, "")
            rejects.write_batch(rejected.append_column("reasons", reason))
    return answer


job.main(f"pyarrow {pyarrow.__version__}", run)
