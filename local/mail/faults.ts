/** Failures of a mail server: a permanent refusal (550), a temporary one (451), or no answer. */
export type FaultKind = 'refuse' | 'defer' | 'hang'

export interface Fault {
  /** An address pattern; `*` matches anything: `*@full.example`. */
  recipient: string
  kind: FaultKind
  /** The number of recipients that it still affects. */
  times: number
}

/** The faults that the mail catcher simulates; the first that matches applies. */
export class Faults {
  #faults: Fault[] = []

  add(fault: Fault): void {
    this.#faults.push({ ...fault })
  }

  /** Returns the kind of fault for this recipient and counts down its `times`; undefined when there is none. */
  meet(address: string): FaultKind | undefined {
    const fault = this.#faults.find(({ recipient }) => matches(recipient, address))
    if (!fault) return undefined
    fault.times -= 1
    this.#faults = this.#faults.filter(({ times }) => times > 0)
    return fault.kind
  }

  all(): Fault[] {
    return this.#faults.map((fault) => ({ ...fault }))
  }

  clear(): void {
    this.#faults = []
  }
}

function matches(pattern: string, address: string): boolean {
  const source = pattern.split('*').map(RegExp.escape).join('.*')
  return new RegExp(`^${source}$`, 'is').test(address)
}
