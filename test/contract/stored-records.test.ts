import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

interface Schema {
  properties?: Record<string, { type?: string; format?: string }>
}

const document = JSON.parse(readFileSync(new URL('../../interface/openapi.json', import.meta.url), 'utf8')) as {
  components: { schemas: Record<string, Schema> }
}

/** What has an id and is no stored record of its own, and why. */
const others: Record<string, string> = {
  AuditEntry: 'an event, which is never changed: `at`',
  HistoryEntry: 'an event of a booking: `at`',
  BoardBooking: 'a booking as the board shows it',
  GuestRequest: 'what a stranger learns of a request',
  PaymentMethod: 'kept by the processor',
  PlannedLesson: 'a lesson of a syllabus beside a booking',
  PushDevice: 'the receipt of a registration',
  Rating: 'a row of the catalogue',
  SearchHit: 'a pointer to a record',
}

const stored = Object.entries(document.components.schemas).filter(([, { properties }]) => properties?.id)

describe('every stored record that the interface answers (§Conventions that hold across the interface)', () => {
  test('has createdAt and updatedAt', () => {
    expect(stored.length).toBeGreaterThan(50)
    const missing = stored.flatMap(([name, { properties = {} }]) =>
      name in others
        ? []
        : ['createdAt', 'updatedAt']
            .filter((key) => properties[key]?.format !== 'date-time')
            .map((key) => `${name}.${key}`),
    )
    expect(missing).toEqual([])
  })

  test('is listed as something else only while there is such a schema', () => {
    expect(Object.keys(others).filter((name) => !stored.some(([one]) => one === name))).toEqual([])
  })
})
