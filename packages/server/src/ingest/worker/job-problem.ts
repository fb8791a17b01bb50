/** An error or a warning of a job. If `recordIndex` is absent, the problem concerns the file or a whole frame. */
export interface JobProblem {
  readonly code: string;
  /** Offset of the record in the decompressed file. */
  readonly byteOffset: number;
  readonly recordIndex: number | null;
  /** JSON Pointer (RFC 6901) within the record. */
  readonly pointer: string | null;
  readonly findingUid: string | null;
  readonly detail: string;
}

/** The problems of one frame: the count of each code, and the first problems up to a limit. */
export class ProblemList {
  readonly #counts = new Map<string, number>();
  readonly #kept: JobProblem[] = [];
  readonly #maxKept: number;

  constructor(maxKept: number) {
    this.#maxKept = maxKept;
  }

  add(problem: JobProblem): void {
    this.#counts.set(problem.code, (this.#counts.get(problem.code) ?? 0) + 1);
    if (this.#kept.length < this.#maxKept) this.#kept.push(problem);
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** The first problems, in the order in which they were added. */
  get kept(): readonly JobProblem[] {
    return this.#kept;
  }
}
