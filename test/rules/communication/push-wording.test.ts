import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Message, pushOf } from '../../../src/shared/communication/notifications/templates/message.rules.ts'

const message = (given: Partial<Message>): Message => ({
  title: 'New booking',
  body: 'Tomorrow',
  data: { reservationId: 7 },
  mail: { paragraphs: [], action: null },
  ...given,
})

describe('a push message (§Notifications)', () => {
  test('has title and body as they are, and the kind and the ids as text', () => {
    expect(pushOf('reservation_created', message({}))).toEqual({
      title: 'New booking',
      body: 'Tomorrow',
      data: { kind: 'reservation_created', reservationId: '7' },
    })
  })

  test('has at most 200 characters of title and 500 of body, and shows where it was cut', () => {
    const { title, body } = pushOf('announcement', message({ title: 'a'.repeat(201), body: 'b'.repeat(501) }))
    expect(title).toBe(`${'a'.repeat(199)}…`)
    expect(body).toBe(`${'b'.repeat(499)}…`)
    const whole = message({ title: 'a'.repeat(200), body: 'b'.repeat(500) })
    expect(pushOf('announcement', whole)).toMatchObject({ title: whole.title, body: whole.body })
  })

  test('never has half a character', () => {
    const { body } = pushOf('announcement', message({ body: `a${'✈️🛩'.repeat(300)}` }))
    expect(body.isWellFormed()).toBe(true)
    expect(body.length).toBeLessThanOrEqual(500)
    expect(pushOf('announcement', message({ body: '🛩'.repeat(251) })).body).toBe(`${'🛩'.repeat(249)}…`)
  })

  test('is smaller than the 4096 bytes that the service takes, whatever people wrote', () => {
    const text = fc.string({ unit: 'binary', maxLength: 1_000 })
    fc.assert(
      fc.property(text, text, (title, body) => {
        const { title: shownTitle, body: shownBody, data } = pushOf('announcement', message({ title, body }))
        expect(Buffer.byteLength(shownTitle + shownBody + JSON.stringify(data))).toBeLessThan(3_000)
      }),
    )
  })
})
