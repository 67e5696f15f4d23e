import { expect, test } from 'vitest'
import { createLoggingPush } from '../../src/shared/adapters/push/logging.ts'

test('without a push service a push is logged by its ids, without the token and what it says', async () => {
  const lines: { data: object; message: string }[] = []
  const push = createLoggingPush({ info: (data, message) => lines.push({ data, message }) })
  await push.send({
    token: 'canary-token',
    title: 'canary-title',
    body: 'canary-body',
    data: { kind: 'invoice_raised', invoiceId: '7' },
    key: '0f9d2a3c',
  })
  expect(lines).toEqual([
    {
      data: { push: '0f9d2a3c', about: { kind: 'invoice_raised', invoiceId: '7' } },
      message: 'push not sent: no push service is set up',
    },
  ])
})
