import { expect, test } from 'vitest'
import {
  deferralEnded,
  maintenanceDue,
  squawkOpened,
} from '../../../src/shared/communication/notifications/templates/maintenance.rules.ts'
import { hundredths } from '../../../src/shared/platform/kernel/units.ts'

const resource = { id: 3, name: 'N512FL' }
const squawk = { id: 9, resource, title: 'Left brake drags', description: null, grounding: false, reporter: 'Ana Ruiz' }
const annual = {
  id: 4,
  resource,
  name: 'Annual',
  overdue: false,
  grounding: true,
  scope: 'all' as const,
  basis: 'calendar' as const,
  dueAt: new Date('2026-12-01T04:59:59.999Z'),
  due: null,
  zone: 'America/New_York',
}

test.each([
  [
    squawkOpened(squawk),
    'Squawk on N512FL: Left brake drags',
    'Ana Ruiz reported: Left brake drags.',
    { squawkId: 9, resourceId: 3 },
  ],
  [
    squawkOpened({ ...squawk, description: 'After landing', grounding: true }),
    'Squawk on N512FL: Left brake drags',
    'Ana Ruiz reported: Left brake drags. After landing N512FL is grounded until the squawk is deferred or resolved.',
    { squawkId: 9, resourceId: 3 },
  ],
  [
    deferralEnded(squawk),
    'Deferral on N512FL has ended: Left brake drags',
    'The deferral of “Left brake drags” has ended: N512FL is grounded until the squawk is resolved or deferred again.',
    { squawkId: 9, resourceId: 3 },
  ],
  [
    maintenanceDue(annual),
    'Annual of N512FL is due soon',
    'Annual of N512FL is due on Mon, Nov 30, 2026. When it is overdue, the aircraft is grounded.',
    { reminderId: 4, resourceId: 3 },
  ],
  [
    maintenanceDue({ ...annual, overdue: true }),
    'Annual of N512FL is overdue',
    'Annual of N512FL was due on Mon, Nov 30, 2026. N512FL is grounded until it is done.',
    { reminderId: 4, resourceId: 3 },
  ],
  [
    maintenanceDue({
      ...annual,
      name: 'Oil',
      basis: 'tach',
      dueAt: null,
      due: hundredths(110_050),
      grounding: false,
    }),
    'Oil of N512FL is due soon',
    'Oil of N512FL is due at tach 1100.50.',
    { reminderId: 4, resourceId: 3 },
  ],
])('a maintenance message has its exact sentences, case %#: %o', (message, title, body, data) => {
  expect({ title: message.title, body: message.body, data: message.data }).toEqual({ title, body, data })
  expect(message.mail.paragraphs.join(' ')).toBe(body)
})
