/** Returns an error in the form of Google's services; `code` is the code of FCM when FCM has one for this push. */
export function fcmFault(status: number, name: string, message: string, code?: string): object {
  const detail = { '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode: code }
  return { error: { code: status, message, status: name, ...(code && { details: [detail] }) } }
}

interface FcmAnswer {
  status: number
  answer: object
  headers?: Record<string, string>
}

const answer = (
  status: number,
  name: string,
  message: string,
  code?: string,
  headers?: Record<string, string>,
): FcmAnswer => ({ status, answer: fcmFault(status, name, message, code), ...(headers && { headers }) })

/** The answers of the service to a push that it refuses. */
export const fcmAnswers = {
  unregistered: answer(404, 'NOT_FOUND', 'Requested entity was not found.', 'UNREGISTERED'),
  no_such_token: answer(
    400,
    'INVALID_ARGUMENT',
    'The registration token is not a valid FCM registration token',
    'INVALID_ARGUMENT',
  ),
  other_sender: answer(403, 'PERMISSION_DENIED', 'SenderId mismatch', 'SENDER_ID_MISMATCH'),
  bad_argument: answer(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.', 'INVALID_ARGUMENT'),
  no_such_project: answer(404, 'NOT_FOUND', 'Requested entity was not found.'),
  no_permission: answer(403, 'PERMISSION_DENIED', "Permission 'cloudmessaging.messages.create' denied on resource."),
  no_apns_key: answer(401, 'UNAUTHENTICATED', 'Auth error from APNS or Web Push Service', 'THIRD_PARTY_AUTH_ERROR'),
  quota: answer(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.', 'QUOTA_EXCEEDED'),
  internal: answer(500, 'INTERNAL', 'Internal error encountered.', 'INTERNAL'),
  unavailable: answer(503, 'UNAVAILABLE', 'The service is currently unavailable.', 'UNAVAILABLE', {
    'retry-after': '3600',
  }),
} as const satisfies Record<string, FcmAnswer>
