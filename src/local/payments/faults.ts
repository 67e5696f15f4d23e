/**
 * What can go wrong between us and the processor. `402` and `500` are answers without the work, `500_after_work` is one
 * with it; `hang` holds the work and the answer back for some seconds; the `cut` kinds break the connection.
 */
export const FAULT_KINDS = ['402', '429', '500', '500_after_work', 'hang', 'cut_before_work', 'cut_after_work'] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

export interface Fault {
  /** Method and path; `*` or `:id` stands for one part of it: `POST /v1/invoices/:id/finalize`. `*` alone meets all. */
  match: string
  kind: FaultKind
  /** How many requests it still meets. */
  times: number
  /** For `429`: what the answer says about coming back. */
  retryAfterSeconds?: number
  /** For `hang`: how long. */
  seconds?: number
  /** Meets only requests about the customer with this address. */
  customerEmail?: string
}

/** The faults that the simulator plays, in the order they were set. */
export class Faults {
  #faults: Fault[] = []

  add(fault: Fault): void {
    this.#faults.push({ ...fault })
  }

  /** The fault that meets this request, if any; a fault that has met its number is gone. */
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

  clear(): void {
    this.#faults = []
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
