import { setTimeout as pause } from 'node:timers/promises'
import { resendVerification, verifyEmail } from '../../../shared/identity/accounts/change-account.ts'
import { findEmailOfToken } from '../../../shared/identity/accounts/mail-token.queries.ts'
import { removePushDevice } from '../../../shared/identity/accounts/register-push-device.ts'
import { forgotPassword, hashForReset, resetPassword } from '../../../shared/identity/accounts/reset-password.ts'
import { recordNetwork } from '../../../shared/identity/accounts/sign-in.ts'
import { identityErrors, passwordErrors } from '../../../shared/identity/identity.errors.ts'
import { isOpenInvitation } from '../../../shared/identity/joining/invitation.queries.ts'
import { hashForSignUp, signUp } from '../../../shared/identity/joining/sign-up.ts'
import { networkOf } from '../../../shared/platform/kernel/networks.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { created, done, empty, ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope } from '../../http/schemas.ts'
import { networkMark } from '../../http/special-limits.ts'
import { EmailBody, PushTokenBody, ResetPasswordBody, SignInBody, SignUpBody, TokenBody } from './accounts.schemas.ts'
import { AuthEnvelope, authEnvelope } from './auth-envelope.ts'
import { recordedSignIn } from './recorded-sign-in.ts'

/** The fixed response time in milliseconds. It is longer than the inserts for a registered address take. */
const FORGOT_ANSWERS_AFTER_MS = 150

const tag = 'Authentication and accounts'

export const accountRoutes: Routes = (on) => {
  on.post('/users', {
    id: 'signUp',
    access: 'anyone',
    tag,
    summary: 'Sign up',
    description:
      'Creates an account and mails a link to verify the address, valid for 24 hours. The token is valid ' +
      'immediately. With `invitationToken` the account also joins the organization that invited it. An ' +
      'installation can limit sign-up to invited people or close it (403 `SIGN_UP_CLOSED`).',
    body: SignUpBody,
    answers: { 201: envelope(AuthEnvelope) },
    errors: [
      ...passwordErrors,
      platformErrors.addressRegistered,
      identityErrors.invitationUsed,
      identityErrors.invitationNotYours,
      identityErrors.claimForAdmins,
      identityErrors.signUpClosed,
    ],
    rateLimit: {
      signIn: {
        kind: 'sign-up',
        email: ({ body }) => body.email,
        // Invited members can sign up together behind one IP address, for example a class, so they do not count.
        network: async ({ db, body, services, now }) =>
          !body.invitationToken || !(await isOpenInvitation(db, services.mailTokens, body.invitationToken, now)),
      },
    },
    secret: true,
    prepare: ({ db, body, services, now }) => hashForSignUp({ ...services, db }, body, now),
    write: (tx, { body, services }, passwordHash) => signUp(tx, services.mailTokens, { ...body, passwordHash }),
    answer: async (who, { services }) => created(await authEnvelope(services, who)),
  })

  on.query('/auth', {
    id: 'signIn',
    access: 'anyone',
    tag,
    summary: 'Sign in',
    description:
      'Returns a token for the active organization of the account. Wrong passwords are limited per network and per ' +
      'address; a right password does not count against these limits and does not reset them. An account can sign in ' +
      '30 times an hour from one network; further right passwords are answered 429, and open sessions stay valid.',
    body: SignInBody,
    answers: { 200: envelope(AuthEnvelope) },
    errors: [identityErrors.signInWrong],
    rateLimit: { signIn: { kind: 'sign-in', email: ({ body }) => body.email, failuresOnly: true } },
    secret: true,
    read: async ({ db, body, services, request, now, count }) => {
      const signedIn = await recordedSignIn(services, request, body, {
        now,
        // After the password was found right, so that nobody else causes this refusal, or learns of it.
        accept: ({ accountId }) => count([['signIns', `${accountId}:${networkOf(request.ip)}`]]),
      })
      await recordNetwork(db, signedIn.accountId, networkMark(services, request), now)
      return ok(await authEnvelope(services, signedIn))
    },
  })

  on.get('/auth', {
    id: 'readSession',
    access: 'account',
    tag,
    secret: true,
    summary: 'Read the session and get a fresh token',
    description:
      'Returns the signed-in user, the active organization and a new token. The old token stays valid until it expires.',
    answers: { 200: envelope(AuthEnvelope) },
    read: async ({ account, services }) =>
      ok(
        await authEnvelope(
          services,
          {
            accountId: account.accountId,
            organizationId: account.member?.organizationId ?? null,
            membershipId: account.member?.orgUserId ?? null,
          },
          account,
        ),
      ),
  })

  on.delete('/auth', {
    id: 'signOutDevice',
    access: 'account',
    tag,
    summary: 'Sign out a device',
    description: 'Removes the push token of the device. Bearer tokens stay valid until they expire.',
    body: PushTokenBody,
    answers: { 204: null },
    write: (tx, { account, body }) => removePushDevice(tx, account.accountId, body.token),
    answer: () => done(),
  })

  on.get('/auth/session', {
    id: 'checkSession',
    access: 'account',
    tag,
    summary: 'Check whether the token is valid',
    description: 'Answers 200 without a body for a valid token, otherwise 401.',
    answers: { 200: null },
    read: async () => empty(),
  })

  on.post('/auth/forgot-password', {
    id: 'requestPasswordReset',
    access: 'anyone',
    tag,
    summary: 'Request a link to set a new password',
    description:
      'Mails a link that is valid for one hour. Earlier links stop working. After five mails to one address within an ' +
      'hour, the last link stays valid, and no other is mailed. Answers 204 whether or not the address has an account.',
    body: EmailBody,
    answers: { 204: null },
    rateLimit: { signIn: { kind: 'forgot', email: ({ body }) => body.email } },
    write: (tx, { body, services }) =>
      forgotPassword(tx, services.mailTokens, body.email, services.config.RATE_LIMIT_FACTOR),
    answer: async (_, { elapsedMs }) => {
      // A registered address needs two more inserts. The fixed response time does not disclose it.
      await pause(Math.max(0, FORGOT_ANSWERS_AFTER_MS - elapsedMs()))
      return done()
    },
  })

  on.post('/auth/reset-password', {
    id: 'resetPassword',
    access: 'anyone',
    tag,
    summary: 'Set a new password',
    description:
      'Sets the password and verifies the address. All earlier tokens, links, calendar addresses, push devices and ' +
      'connected accounts stop working. The owner of the address gets a mail.',
    body: ResetPasswordBody,
    answers: { 204: null },
    errors: [identityErrors.linkUsed, ...passwordErrors],
    rateLimit: {
      signIn: {
        kind: 'reset',
        email: ({ db, body, services }) => findEmailOfToken(db, services.mailTokens, body.token),
      },
    },
    prepare: ({ db, body, services, now }) => hashForReset({ ...services, db }, body, now),
    write: (tx, { body, services }, passwordHash) => resetPassword(tx, services.mailTokens, body.token, passwordHash),
    answer: () => done(),
  })

  on.post('/auth/verify-email', {
    id: 'verifyEmail',
    access: 'anyone',
    tag,
    summary: 'Verify an address with the mailed token',
    description: 'Marks the address of the account as verified. The token is in the mailed link.',
    body: TokenBody,
    answers: { 204: null },
    errors: [identityErrors.linkUsed],
    write: (tx, { body, services }) => verifyEmail(tx, services.mailTokens, body.token),
    answer: () => done(),
  })

  on.post('/auth/verify-email/resend', {
    id: 'resendVerificationEmail',
    access: 'account',
    tag,
    summary: 'Mail the verification link again',
    description:
      'Mails a new link to verify the address. Mails nothing when the address is already verified. At most five ' +
      'mails per hour.',
    answers: { 204: null },
    rateLimit: { mailTo: ({ account }) => account.email },
    write: (tx, { account, services }) => resendVerification(tx, services.mailTokens, account.accountId),
    answer: () => done(),
  })
}
