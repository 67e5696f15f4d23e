import { readFileSync } from 'node:fs'

/** A guide of the reference. */
export interface Guide {
  /** The name of its file, which is also the last part of its address, such as `first-request`. */
  name: string
  title: string
  /** The text in Markdown. */
  text: string
  /** The program that the guide explains, shown below it. */
  program?: { path: string; text: string }
}

/** The guides in reading order. */
const names = [
  'first-request',
  'an-app-from-nothing',
  'bringing-a-school-in',
  'booking-rules',
  'waiting-list',
  'day-at-the-desk',
  'when-an-aircraft-goes-down',
  'planning-maintenance',
  'before-the-practical-test',
  'ending-a-month',
  'paying-instructors',
  'errors',
  'idempotency',
  'conditions',
  'webhooks',
  'paging',
] as const

/** The program that a guide explains. */
const programs: Partial<Record<(typeof names)[number], string>> = { 'an-app-from-nothing': 'examples/app/app.ts' }

/** Reads the guides in `docs/guides`, and the programs that they explain. */
export function readGuides(): Guide[] {
  return names.map((name) => {
    const text = read(`docs/guides/${name}.md`)
    const path = programs[name]
    const title = /^# (.+)$/m.exec(text)?.[1] ?? name
    return { name, text, title, ...(path !== undefined && { program: { path, text: read(path) } }) }
  })
}

function read(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
}
