import type { Rights } from './rights.ts'

const password = 'a long way to Tipperary'

export const accountRights: Rights[] = [
  {
    endpoint: 'POST /users',
    who: 'anyone',
    body: ({ organization }) => ({ name: 'Ana Ruiz', email: `ana.${organization}@example.com`, password }),
  },
  { endpoint: 'POST /auth', who: 'anyone', body: () => ({ email: 'nobody@example.com', password }), stranger: 401 },
  { endpoint: 'GET /auth', who: 'account' },
  { endpoint: 'DELETE /auth', who: 'account', body: () => ({ token: 'device-1' }) },
  { endpoint: 'GET /auth/session', who: 'account' },
  { endpoint: 'POST /auth/forgot-password', who: 'anyone', body: () => ({ email: 'nobody@example.com' }) },
  { endpoint: 'POST /auth/reset-password', who: 'anyone', body: ({ resetToken: token }) => ({ token, password }) },
  { endpoint: 'POST /auth/verify-email', who: 'anyone', body: ({ verifyToken: token }) => ({ token }) },
  { endpoint: 'POST /auth/verify-email/resend', who: 'account' },
]
