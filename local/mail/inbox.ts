import { randomUUID } from 'node:crypto'

export interface Correspondent {
  address: string
  name: string
}

/** A received mail. A missing text field is an empty string. */
export interface CaughtMail {
  id: string
  /** The Message-ID without its angle brackets. It is the same for every retry of one mail. */
  messageId: string
  subject: string
  from: Correspondent
  to: Correspondent[]
  text: string
  html: string
  /** The address for replies, when it is not the sender's. */
  replyTo: Correspondent | null
  /** The header `List-Unsubscribe`. */
  unsubscribe: string | null
  /** The texts of calendar invitations. */
  calendars: string[]
  date: Date
}

/** The newest `keep` mails since the start, in memory. */
export class Inbox {
  readonly #mails = new Map<string, CaughtMail>()
  readonly #keep: number
  readonly #run = randomUUID()
  #changes = 0

  constructor(keep: number) {
    this.#keep = keep
  }

  /** An ETag. It changes when the inbox changes and at every start. */
  get version(): string {
    return `"${this.#run}.${this.#changes}"`
  }

  /** Adds a mail and returns it. When the inbox is full, the oldest mail is deleted. */
  add(mail: Omit<CaughtMail, 'id'>): CaughtMail {
    const caught = { id: randomUUID(), ...mail }
    this.#mails.set(caught.id, caught)
    const [oldest] = this.#mails.keys()
    if (this.#mails.size > this.#keep && oldest) this.#mails.delete(oldest)
    this.#changes += 1
    return caught
  }

  /** Returns all mails, oldest first. */
  all(): CaughtMail[] {
    return [...this.#mails.values()]
  }

  find(id: string): CaughtMail | undefined {
    return this.#mails.get(id)
  }

  /** Deletes a mail. Returns whether it existed. */
  remove(id: string): boolean {
    this.#changes += 1
    return this.#mails.delete(id)
  }

  clear(): void {
    this.#changes += 1
    this.#mails.clear()
  }
}
