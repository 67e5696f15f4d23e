import { describe, expect, test } from 'vitest'
import { senderName } from '../../../src/shared/identity/organizations/sender.rules.ts'

describe('the name of a mail’s sender', () => {
  test.each([
    ['is the school’s, via Flightline', 'Bay Flight Academy', 'Bay Flight Academy via Flightline'],
    ['holds no address', 'support@paypal.com', 'support paypal com via Flightline'],
    [
      'holds no quotes, brackets or line breaks',
      '"Bank" <a@b.example>\r\nBcc: x',
      'Bank a b example Bcc x via Flightline',
    ],
    ['keeps the period of an abbreviation', 'St. Louis Flyers', 'St. Louis Flyers via Flightline'],
    ['is not empty', '@@@', 'A school via Flightline'],
  ])('%s', (_what, organization, name) => {
    expect(senderName(organization)).toBe(name)
  })

  test('has at most 60 characters and always says via whom', () => {
    const name = senderName('Aviation '.repeat(30))
    expect(name.length).toBeLessThanOrEqual(60)
    expect(name).toMatch(/… via Flightline$/)
  })
})
