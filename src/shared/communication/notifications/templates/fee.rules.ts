import { formatMoney } from '../../../platform/kernel/money.ts'
import type { Cents } from '../../../platform/kernel/units.ts'
import type { Message } from './message.rules.ts'
import { momentInWords } from './when.rules.ts'

/** The proposed fee of a cancellation. `chargeAt`: null when the desk decides on it. */
export interface FeeTemplateData {
  id: number
  organization: string
  start: Date
  zone: string
  resource: string | null
  cents: Cents
  currency: string
  cancelledAt: Date
  chargeAt: Date | null
}

/**
 * Returns the message to the payer about a proposed fee: the amount, what for and until when they may object. Title and text, which a locked
 * screen shows, have no amount; nothing names the category of the cancellation.
 */
export function feeProposed(fee: FeeTemplateData): Message {
  const { organization, zone } = fee
  const booking = `the booking of ${momentInWords(fee.start, zone)}${fee.resource === null ? '' : `, ${fee.resource},`}`
  const amount = formatMoney(fee.cents, fee.currency)
  const opening = `${organization} proposes a fee for a cancelled booking.`
  return {
    title: 'A cancellation fee is proposed',
    body: opening,
    data: { reservationId: fee.id },
    mail: {
      paragraphs: [
        opening,
        `It is ${amount}, by the terms of ${booking} which was cancelled at ${momentInWords(fee.cancelledAt, zone)}.`,
        fee.chargeAt === null
          ? 'The school decides whether it is charged.'
          : `It is charged after ${momentInWords(fee.chargeAt, zone)}, unless the school waives it or you object before that in the app.`,
      ],
      action: null,
    },
  }
}
