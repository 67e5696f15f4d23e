import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { changeProfile, recordProfileReading } from '../../../shared/identity/profiles/change-profile.ts'
import { findReadableProfile } from '../../../shared/identity/profiles/profile.queries.ts'
import { inTransaction } from '../../../shared/platform/db/transaction.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { ok } from '../../http/answers.ts'
import { type Call, originOf, type Routes } from '../../http/endpoint.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { Profile, profileView } from './profile.view.ts'
import { ProfilePatch } from './profiles.schemas.ts'

const tag = 'Members'

/** The endpoints of profiles: sensitive facts about a member, which no list, search, event or webhook contains. */
export const profileRoutes: Routes = (on) => {
  on.get('/orgUsers/:id/profile', {
    id: 'readProfile',
    access: 'member',
    tag,
    summary: 'Read a member’s profile',
    description:
      'Birth date, certificates, emergency contact. One’s own but for the notes; all of it for admins; dispatchers read ' +
      'emergency contact and weight, instructors these and the pilot certificate of students and renters, and of their ' +
      'own students (an open enrollment, or a booking sixty days back or ahead that was flown or that somebody else made) birth date, address and citizenship too. ' +
      'What is not for the caller is left out. Reading another’s is in the audit log, once a day and reader; at most 300 ' +
      'an hour. Medicals end by the birth date (14 CFR 61.23(d)); who logs and acts as pilot in command goes by the ' +
      'certificate (61.3, 61.51(e)); training asks for the citizenship (49 CFR 1552.7).',
    params: IdParams,
    answers: { 200: envelope(Profile) },
    errors: [[platformErrors.notAllowed, 'nothing of the profile is for the caller']],
    read: async ({ params, ...call }) => {
      const { actor, count } = call
      if (params.id !== actor.orgUserId) await count([['profiles', String(actor.accountId)]])
      const { profile, fields } = await findReadableProfile(call.db, actor, params.id, call.now)
      if (params.id !== actor.orgUserId) await recordReading(call, params.id)
      return ok(profileView(profile, fields))
    },
  })

  on.patch('/orgUsers/:id/profile', {
    id: 'updateProfile',
    access: 'member',
    tag,
    summary: 'Change or verify a member’s profile',
    description:
      'Members their own, admins those of others, and only admins `notes` and `citizenshipVerification`. Objects are merged ' +
      'key by key; null clears. What members write of themselves counts for no currency until somebody else verifies it ' +
      'by `verify`: staff who read the field. What an admin writes of another is verified; of themselves it is ' +
      '`selfVerified`. Until then the last verified value counts. How citizenship was verified is kept for five years (49 CFR 1552.15(c)).',
    params: IdParams,
    body: ProfilePatch,
    answers: { 200: envelope(Profile) },
    errors: [
      identityErrors.birthDateAhead,
      identityErrors.nothingToVerify,
      [platformErrors.notAllowed, 'a field that the caller may not write or verify'],
      identityErrors.profileOfOthers,
      identityErrors.verifiedByOthers,
    ],
    rateLimit: { account: 'profiles' },
    write: (tx, { actor, params, body }) => changeProfile(tx, actor, params.id, body),
    answer: async ({ orgUserId }, { db, actor, now }) => {
      const { profile, fields } = await findReadableProfile(db, actor, orgUserId, now)
      return ok(profileView(profile, fields))
    },
  })
}

async function recordReading(
  { actor, services, request }: Pick<Call<'member'>, 'actor' | 'services' | 'request'>,
  orgUserId: number,
): Promise<void> {
  const { database, clock, relay } = services
  const origin = originOf(request)
  const record = inTransaction(database, clock, (tx) => recordProfileReading(tx, actor, orgUserId), origin)
  relay.publish((await record).enqueued)
}
