/**
 * Failures between the service and the gateway. `402`, `429` and `500` fail before the work, `500_after_work` after it.
 * `hang` delays the work and the answer; `hang_after_work` delays only the answer. Both delays end early when the
 * faults are cleared. The `cut` kinds break the connection.
 */
export const FAULT_KINDS = [
  ...(['402', '429', '500', '500_after_work', 'hang', 'hang_after_work'] as const),
  ...(['cut_before_work', 'cut_after_work'] as const),
]
export type FaultKind = (typeof FAULT_KINDS)[number]

export interface Fault {
  /**
   * Method and path; `*` or `:id` matches one segment: `POST /v1/invoices/:id/finalize`. `*` alone matches everything.
   */
  match: string
  kind: FaultKind
  /** The number of requests that it still affects. */
  times: number
  /** For `429`: the Retry-After header in seconds. */
  retryAfterSeconds?: number
  /** For `hang` and `hang_after_work`: the length of the delay; 20 seconds when absent. */
  seconds?: number
  /** When set, the fault affects only requests about the customer with this address. */
  customerEmail?: string
}

/** The faults that the simulator applies; for each request the first that matches. */
export class Faults {
  #faults: Fault[] = []
  #cleared = new AbortController()

  /** Aborts when the faults are cleared. */
  get cleared(): AbortSignal {
    return this.#cleared.signal
  }

  add(fault: Fault): void {
    this.#faults.push({ ...fault })
  }

  /** Returns the fault for this request and counts down its `times`; null when there is none. */
  meet(method: string, path: string, customerEmail: () => string | null): Fault | null {
    const asked = `${method} ${path}`
    const fault = this.#faults.find(
      (candidate) =>
        matches(candidate.match, asked) &&
        (candidate.customerEmail === undefined || candidate.customerEmail === customerEmail()),
    )
    if (!fault) return null
    fault.times -= 1
    this.#faults = this.#faults.filter(({ times }) => times > 0)
    return fault
  }

  all(): Fault[] {
    return this.#faults.map((fault) => ({ ...fault }))
  }

  /** Removes the faults, and ends the delays that are running. */
  clear(): void {
    this.#faults = []
    this.#cleared.abort()
    this.#cleared = new AbortController()
  }
}

function matches(pattern: string, asked: string): boolean {
  if (pattern === '*') return true
  const [wanted, given] = [pattern, asked].map((text) => text.split(/[ /]/)) as [string[], string[]]
  return wanted.length === given.length && wanted.every((part, index) => fits(part, given[index] ?? ''))
}

function fits(wanted: string, given: string): boolean {
  const isAny = wanted === '*' || /^:\w+$/.test(wanted)
  return wanted === given || (isAny && given !== '')
}
