import { describe, expect, test } from 'vitest'
import { jobTitle } from '../../../src/api/service/job-title.rules.ts'

const names = new Map([[7, 'Bay Flight Academy']])

describe('the title of a job', () => {
  test.for([
    [
      'invoices.void-at-gateway',
      { organizationId: 7, invoiceId: 4 },
      'Invoice 4, Bay Flight Academy (invoices.void-at-gateway)',
    ],
    [
      'webhooks.send-webhook',
      { organizationId: 7, deliveryId: 12, attempt: 1 },
      'Delivery 12, Bay Flight Academy (webhooks.send-webhook)',
    ],
    [
      'notifications.mail-notification',
      { organizationId: 7, orgUserId: null, guestId: 3 },
      'Guest 3, Bay Flight Academy (notifications.mail-notification)',
    ],
    ['invoices.connect-account', { organizationId: 7 }, 'Bay Flight Academy (invoices.connect-account)'],
    ['invoices.connect-account', { organizationId: 8 }, 'organization 8 (invoices.connect-account)'],
    ['accounts.send-mail-token', { mailTokenId: 5 }, 'Mailed link 5 (accounts.send-mail-token)'],
    ['retention.purge-expired', {}, 'retention.purge-expired'],
  ] as const)('of %s says what it is about and whose it is', ([kind, payload, title]) => {
    expect(jobTitle(kind, payload, names)).toBe(title)
  })

  test('of one that failed and waits for its next try says so', () => {
    expect(jobTitle('retention.purge-expired', {}, names, 1)).toBe('Failed once: retention.purge-expired')
    expect(jobTitle('invoices.connect-account', { organizationId: 7 }, names, 5)).toBe(
      'Failed 5 times: Bay Flight Academy (invoices.connect-account)',
    )
  })
})
