/** What people are told of one happening. Every value is plain text. */
export interface Message {
  /** The headline in the app and on a phone, and the subject of the mail. */
  title: string
  /** What it says in the app and on a phone. */
  body: string
  /** The ids of what it is about, for a client to open. */
  data: Record<string, number>
  mail: {
    paragraphs: string[]
    /** The one thing to do, where there is a page to do it on. */
    action: { label: string; url: string } | null
  }
}
