/** The text of one notification. Every value is plain text. */
export interface Message {
  /** The title in the app and of the push, and the subject of the mail. */
  title: string
  /** The text in the app and of the push. */
  body: string
  /** The ids of the records that a client can open. */
  data: Record<string, number>
  mail: {
    paragraphs: string[]
    /** The button of the mail, when there is a page for it. */
    action: { label: string; url: string } | null
  }
}
