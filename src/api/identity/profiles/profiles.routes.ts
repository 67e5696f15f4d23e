import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { changeProfile } from '../../../shared/identity/profiles/change-profile.ts'
import { findReadableProfile } from '../../../shared/identity/profiles/profile.queries.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { assertReadsFewProfiles, mostProfiles, recordRead } from './audited-reading.ts'
import { Profile, profileView } from './profile.view.ts'
import { ProfilePatch } from './profiles.schemas.ts'

const tag = 'Members'

/**
 * The endpoints of profiles. A profile has sensitive facts about a member, which no list, search, event or webhook
 * contains.
 */
export const profileRoutes: Routes = (on) => {
  on.get('/orgUsers/:id/profile', {
    id: 'readProfile',
    access: 'member',
    grant: 'registrar',
    tag,
    summary: 'Read a member’s profile',
    description:
      'Returns the fields that the caller may read.\n\n- Members read their own profile without `notes`.\n- Admins ' +
      'read everything.\n- Dispatchers read emergency contact and weight.\n- Instructors read emergency contact, ' +
      'weight and pilot certificate of students and renters; of their own students also birth date, address and ' +
      'citizenship. Their own have an open enrollment with them or, within 60 days, a booking with them that ' +
      'others made or that is flown.\n- Registrars read students and renters without other roles, at most 60 a ' +
      'day, but no `notes` and `citizenshipVerification`.\n\nReading another member is recorded once a day for each reader; at most 300 such reads an hour.',
    params: IdParams,
    answers: { 200: envelope(Profile) },
    errors: [[platformErrors.notAllowed, 'the caller may read no field of the profile'], identityErrors.profilesRead],
    read: async ({ params, ...call }) => {
      const own = params.id === call.actor.orgUserId
      if (!own) await call.count([['profiles', String(call.actor.accountId)]])
      const actor = own ? call.actor : await call.withGrant()
      await assertReadsFewProfiles(call, actor, params.id)
      const { profile, fields } = await findReadableProfile(call.db, actor, params.id, call.now)
      if (!own) await recordRead(call, actor, { kind: 'profile.read', orgUserId: params.id, most: mostProfiles(call) })
      return ok(profileView(profile, fields))
    },
  })

  on.patch('/orgUsers/:id/profile', {
    id: 'updateProfile',
    access: 'member',
    grant: 'registrar',
    tag,
    summary: 'Change or verify a member’s profile',
    description:
      'Changes or verifies fields. Members change their own profile, admins that of others; only admins change ' +
      '`notes` and `citizenshipVerification`. Registrars change what they may read of students and renters, and ' +
      'verify nothing. Objects are merged key by key, and null clears a field.\n\nCurrencies use verified values ' +
      'only. A value that members enter about themselves counts once staff who may read the field verify it ' +
      '(`verify`); until then the last verified value counts. A value that admins enter about other members is ' +
      'verified immediately. A value that they enter about themselves is verified too, and its field is listed in ' +
      '`selfVerified`.',
    params: IdParams,
    body: ProfilePatch,
    answers: { 200: envelope(Profile) },
    errors: [
      identityErrors.birthDateAhead,
      identityErrors.nothingToVerify,
      [platformErrors.notAllowed, 'a field that the caller may not write or verify'],
      identityErrors.profileOfOthers,
      identityErrors.verifiedByOthers,
      identityErrors.profilesRead,
    ],
    rateLimit: { account: 'profiles' },
    prepare: async (call) => {
      const { actor, params } = call
      if (params.id === actor.orgUserId) return actor
      const writer = await call.withGrant()
      await assertReadsFewProfiles(call, writer, params.id)
      return writer
    },
    write: (tx, { params, body, services }, actor) =>
      changeProfile(tx, actor, params.id, body, mostProfiles({ services })),
    answer: async ({ orgUserId }, { db, withGrant, now }) => {
      const { profile, fields } = await findReadableProfile(db, await withGrant(), orgUserId, now)
      return ok(profileView(profile, fields))
    },
  })
}
