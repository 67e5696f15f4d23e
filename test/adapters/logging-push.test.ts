import { expect, test } from 'vitest'
import { createLoggingPush } from '../../src/shared/platform/adapters/push/open-push.ts'

test('without a push service a push is logged by its ids, without the tokens and what it says, and counts as sent', async () => {
  const lines: { data: object; message: string }[] = []
  const push = createLoggingPush({ info: (data, message) => lines.push({ data, message }) })
  const said = { title: 'canary-title', body: 'canary-body', data: { kind: 'invoice_raised', invoiceId: '7' } }
  const outcomes = await push.multicast({ ...said, key: '0f9d2a3c' }, ['canary-token', 'canary-token-2'])
  expect(outcomes).toEqual([{ state: 'taken' }, { state: 'taken' }])
  expect(lines).toEqual([
    {
      data: { push: '0f9d2a3c', about: { kind: 'invoice_raised', invoiceId: '7' }, devices: 2 },
      message: 'push not sent: no push service is set up',
    },
  ])
})
