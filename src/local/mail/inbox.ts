import { randomUUID } from 'node:crypto'

export interface Correspondent {
  address: string
  name: string
}

/** A mail as it arrived. A part that it does not have is an empty string. */
export interface CaughtMail {
  id: string
  /** The Message-ID without its angle brackets: the same for every retry of one mail. */
  messageId: string
  subject: string
  from: Correspondent
  to: Correspondent[]
  text: string
  html: string
  date: Date
}

/** The mails caught since the start, in memory: the newest `keep` of them. */
export class Inbox {
  readonly #mails = new Map<string, CaughtMail>()
  readonly #keep: number
  readonly #run = randomUUID()
  #changes = 0

  constructor(keep: number) {
    this.#keep = keep
  }

  /** Changes whenever the inbox does, and with every start, so that a page knows when to read it again. */
  get version(): string {
    return `"${this.#run}.${this.#changes}"`
  }

  /** Takes a mail in; the oldest one goes when the inbox is full. */
  add(mail: Omit<CaughtMail, 'id'>): CaughtMail {
    const caught = { id: randomUUID(), ...mail }
    this.#mails.set(caught.id, caught)
    const [oldest] = this.#mails.keys()
    if (this.#mails.size > this.#keep && oldest) this.#mails.delete(oldest)
    this.#changes += 1
    return caught
  }

  /** All mails, oldest first. */
  all(): CaughtMail[] {
    return [...this.#mails.values()]
  }

  find(id: string): CaughtMail | undefined {
    return this.#mails.get(id)
  }

  /** Whether there was such a mail. */
  remove(id: string): boolean {
    this.#changes += 1
    return this.#mails.delete(id)
  }

  clear(): void {
    this.#changes += 1
    this.#mails.clear()
  }
}
