/** What a mail server can do to a mail: refuse it for good (550), put it off (451), or never answer. */
export type FaultKind = 'refuse' | 'defer' | 'hang'

export interface Fault {
  /** An address, in which `*` stands for anything: `*@full.example`. */
  recipient: string
  kind: FaultKind
  /** How many recipients it still meets. */
  times: number
}

/** The faults that the catcher plays, in the order they were set. */
export class Faults {
  #faults: Fault[] = []

  add(fault: Fault): void {
    this.#faults.push({ ...fault })
  }

  /** The fault that meets this recipient now, if any; a fault that has met its number is gone. */
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
