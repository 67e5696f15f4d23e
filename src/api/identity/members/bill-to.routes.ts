import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { findOrgUser } from '../../../shared/identity/members/org-user.queries.ts'
import { qualificationErrors } from '../../../shared/qualification/qualification.errors.ts'
import { acceptToPay } from '../../../shared/workflows/accept-bill-to.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { BillToConsentBody } from './members.schemas.ts'
import { OrganizationUser, orgUserView } from './org-user.view.ts'

const tag = 'Members'

/** The consent of members who pay for others. Implements interface §Members. */
export const billToRoutes: Routes = (on) => {
  on.post('/orgUsers/:id/billTo/accept', {
    id: 'acceptBillTo',
    access: 'member',
    tag,
    summary: 'Accept to pay for a member',
    description:
      'Accepts that the flights, prepaid bookings, packages and fees of the member `{id}` are invoiced to the caller ' +
      'from now on. Without `ledger` and `autopay` the payer gets invoices, and nothing is taken. A repeated call ' +
      'replaces the terms. For a payer without an account an admin accepts, with the signed document. Requires a ' +
      'recent sign-in, or the password.',
    params: IdParams,
    body: BillToConsentBody,
    answers: { 200: envelope(OrganizationUser) },
    errors: [identityErrors.billToNeedsPaper, identityErrors.billToIsPayers, qualificationErrors.unknownDocument],
    asksAgain: 'always',
    write: (
      tx,
      { actor, params, body: { ledger = false, autopay = false, maxCentsPerMonth = null, documentId = null } },
    ) => acceptToPay(tx, actor, params.id, { ledger, autopay, maxCentsPerMonth, documentId }),
    answer: async ({ id }, { db, actor }) => ok(orgUserView(await findOrgUser(db, actor.organizationId, id), actor)),
  })
}
