import { z } from 'zod'
import { type Undelivered, undeliveredReasons } from '../../../shared/platform/deliveries/undelivered-mail.types.ts'
import { iso } from '../../http/iso.ts'
import { Instant } from '../../http/schemas.ts'

/** The latest mail about a record, when it was given up. */
export const UndeliveredMail = z
  .object({
    reason: z
      .enum(undeliveredReasons)
      .describe(
        '`unsubscribed`: the address refuses mail from the organization. `address_limit`, `organization_limit`: the ' +
          'daily limit of mails is reached. `refused`: the mail server refused it. `not_delivered`: delivery failed for ' +
          'hours',
      ),
    givenUpAt: Instant,
  })
  .meta({ id: 'UndeliveredMail' })
  .nullable()
  .describe(
    'The latest mail about the record, if it could not be delivered; null once a later one is, for a guest about the same booking',
  )

export function undeliveredView(row: Undelivered | null): z.input<typeof UndeliveredMail> {
  return row && { reason: row.reason, givenUpAt: iso(new Date(row.givenUpAt)) }
}
