import { readFileSync } from 'node:fs'

/** A guide of the reference. */
export interface Guide {
  /** The name of its file, which is also the last part of its address, such as `first-request`. */
  name: string
  title: string
  /** The text in Markdown. */
  text: string
}

/** The guides in reading order. */
const names = [
  'first-request',
  'an-app-from-nothing',
  'bringing-a-school-in',
  'booking-rules',
  'day-at-the-desk',
  'ending-a-month',
  'paying-instructors',
  'errors',
  'idempotency',
  'conditions',
  'webhooks',
  'paging',
] as const

/** Reads the guides in `docs/guides`. */
export function readGuides(): Guide[] {
  return names.map((name) => {
    const text = readFileSync(new URL(`../../../docs/guides/${name}.md`, import.meta.url), 'utf8')
    return { name, text, title: /^# (.+)$/m.exec(text)?.[1] ?? name }
  })
}
