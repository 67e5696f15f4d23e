import { type Endpoint, endpoint, type Scope } from './endpoint.ts'
import { PAGE, page, within } from './lists.ts'
import { expand, text, timeRange } from './params.ts'
import { newId, type StoredDispute, type StoredIntent } from './store.ts'
import { noSuch, wrongState } from './stripe-fault.ts'

export const disputeEndpoints: Endpoint[] = [
  endpoint(
    'GET',
    '/v1/disputes',
    { ...PAGE, payment_intent: text(), charge: text(), created: timeRange, expand: expand() },
    (scope, asked) => {
      const disputes = [...scope.book.disputes.values()].filter(
        ({ payment_intent, charge, created }) =>
          (asked.payment_intent === undefined || payment_intent === asked.payment_intent) &&
          (asked.charge === undefined || charge === asked.charge) &&
          within(asked.created, created),
      )
      return page('/v1/disputes', disputes, asked)
    },
  ),

  endpoint('GET', '/v1/disputes/:id', { expand: expand() }, (scope, _asked, id) => findDispute(scope, id)),
]

/**
 * Opens a dispute of a charge: the payer’s bank claims the money back.
 * @param dueBy the deadline for evidence, in seconds since 1970; null when the bank accepts no evidence
 * @throws StripeFault when the disputes exceed the charge
 */
export function openDispute(
  scope: Scope,
  intent: StoredIntent,
  amount: number,
  dueBy: number | null = usualDueBy(scope.now),
): StoredDispute {
  if (lostOf(scope, intent.id) + amount > intent.amount_received) throw wrongState('The dispute exceeds the charge.')
  const dispute: StoredDispute = {
    id: newId('dp'),
    object: 'dispute',
    amount,
    charge: intent.latest_charge ?? '',
    created: scope.now,
    currency: intent.currency,
    evidence_details: evidenceUntil(dueBy),
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: intent.id,
    reason: 'fraudulent',
    status: 'needs_response',
  }
  scope.book.disputes.set(dispute.id, dispute)
  scope.emit('charge.dispute.created', dispute)
  return dispute
}

const DAY_SECONDS = 86_400
const EVIDENCE_DAYS = 7

/** Returns the end of the UTC day seven days after a dispute was opened, in seconds. */
function usualDueBy(opened: number): number {
  return (Math.floor(opened / DAY_SECONDS) + EVIDENCE_DAYS + 1) * DAY_SECONDS - 1
}

/** Returns the evidence details of a dispute for which no evidence was sent yet. */
export function evidenceUntil(due_by: number | null): StoredDispute['evidence_details'] {
  return {
    due_by,
    enhanced_eligibility: {},
    has_evidence: false,
    past_due: false,
    submission_count: 0,
    submission_method: 'not_submitted',
  }
}

/**
 * Closes a dispute, which the school has won or lost.
 * @throws StripeFault when it does not exist or is closed already
 */
export function closeDispute(scope: Scope, id: string, outcome: 'won' | 'lost'): StoredDispute {
  const dispute = findDispute(scope, id)
  if (dispute.status !== 'needs_response') throw wrongState('This dispute is closed.')
  dispute.status = outcome
  scope.emit('charge.dispute.closed', dispute)
  return dispute
}

/** Returns the disputed amount of a payment in cents, without the disputes that the school won. */
export function lostOf({ book }: Scope, intent: string): number {
  const disputes = [...book.disputes.values()].filter(({ payment_intent, status }) => {
    return payment_intent === intent && status !== 'won'
  })
  return disputes.reduce((sum, { amount }) => sum + amount, 0)
}

function findDispute(scope: Scope, id: string): StoredDispute {
  const dispute = scope.book.disputes.get(id)
  if (!dispute) throw noSuch('dispute', id, 'dispute')
  return dispute
}
