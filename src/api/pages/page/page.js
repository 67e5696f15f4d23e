/** The pages that mailed links open. The token is in the fragment; this script sends it to the API. */
const byId = (id) => document.getElementById(id)
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''

const post = (path, body, bearer) => call('POST', path, body, bearer)

async function call(method, path, body, bearer) {
  try {
    const response = await fetch(path, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(bearer && { authorization: `Bearer ${bearer}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = response.status === 204 ? {} : await response.json()
    return { ok: response.ok, data: answer.data, message: answer.message }
  } catch {
    return { ok: false, message: 'The service cannot be reached. Please check the connection and try again.' }
  }
}

function say(title, text, state = 'open') {
  document.title = `${title} · Flightline`
  document.body.dataset.state = state
  byId('title').textContent = title
  byId('text').textContent = text
}

/** Hides the form and shows a final text. In state `done` the token is used up and removed from the address. */
function end(title, text, state) {
  byId('form').hidden = true
  say(title, text, state)
  if (state === 'done') history.replaceState(null, '', location.pathname)
}

/** Shows the form with the fields that are needed. `send` returns whether the request succeeded. */
function ask({ name, email, fixedEmail, newPassword, action, other, send }) {
  byId('name-field').hidden = name === undefined
  byId('name').value = name ?? ''
  byId('email-field').hidden = email === undefined
  byId('email').value = email ?? ''
  byId('email').readOnly = Boolean(fixedEmail)
  byId('password').value = ''
  byId('password').autocomplete = newPassword ? 'new-password' : 'current-password'
  byId('password-label').textContent = newPassword ? 'New password' : 'Password'
  byId('hint').textContent = newPassword ? 'At least 10 characters; a few unrelated words are best.' : ''
  byId('submit').textContent = action
  byId('other').hidden = !other
  byId('other').textContent = other?.label ?? ''
  byId('other').onclick = other?.open ?? null
  byId('problem').hidden = true
  byId('form').hidden = false
  byId('form').onsubmit = async (event) => {
    event.preventDefault()
    byId('submit').disabled = true
    const fields = { name: byId('name').value, email: byId('email').value, password: byId('password').value }
    const { ok, message } = await send(fields)
    byId('submit').disabled = false
    byId('problem').hidden = ok
    byId('problem').textContent = ok ? '' : inWords(message)
  }
}

/** Returns a message of the API as a sentence for people: the field at its start becomes its first word. */
function inWords(message = 'Something went wrong. Please try again.') {
  const words = message.replace(/^(\w+): /, (_, field) => `${field[0].toUpperCase()}${field.slice(1)} `)
  return /[.!?]$/.test(words) ? words : `${words}.`
}

byId('show').onclick = () => {
  const shown = byId('password').type === 'text'
  byId('password').type = shown ? 'password' : 'text'
  byId('show').textContent = shown ? 'Show' : 'Hide'
  byId('show').setAttribute('aria-pressed', String(!shown))
}

async function verifyEmail() {
  say('Confirming your address', 'One moment …')
  const { ok, message } = await post('auth/verify-email', { token })
  if (ok) end('Your address is confirmed', 'Thank you. You can close this page and go on in your app.', 'done')
  else
    end('This did not work', `${inWords(message)} When you are signed in, your app can send the mail again.`, 'failed')
}

async function confirmRequest() {
  say('Confirming your request', 'One moment …')
  const { ok, message } = await post('public/requests/confirm', { token })
  if (ok) end('Your request is confirmed', 'Thank you. The school has it now and answers by mail.', 'done')
  else end('This did not work', inWords(message), 'failed')
}

function resetPassword() {
  say('Set a new password', 'It replaces the old password and signs you out on all devices.')
  ask({
    newPassword: true,
    action: 'Set password',
    async send({ password }) {
      const answer = await post('auth/reset-password', { token, password })
      if (answer.ok) end('Your new password is set', 'Sign in with it in your app.', 'done')
      return answer
    },
  })
}

async function invitation() {
  const { ok, data, message } = await post('organizations/invitations/lookup', { token })
  if (!ok) return end('This invitation does not work', `${inWords(message)} Please ask for a new one.`, 'failed')
  const roles = ['owner', 'admin', 'dispatcher', 'instructor', 'student', 'renter', 'technician'].filter(
    (role) => data[role],
  )
  const as = roles.length > 0 ? ` as ${new Intl.ListFormat('en').format(roles)}` : ''
  const invites = `${data.organization.name} invites you to join${as}.`
  const welcome = () =>
    end(`Welcome to ${data.organization.name}`, 'You are a member now. Sign in with your app to start.', 'done')

  const signUp = () => {
    say('Join as a new member', `${invites} Choose a name and a password for your account.`)
    ask({
      name: data.name ?? '',
      email: data.email ?? '',
      fixedEmail: data.email !== null,
      newPassword: true,
      action: 'Create account and join',
      other: { label: 'I already have an account', open: () => signIn('') },
      async send(fields) {
        const answer = await post('users', { ...fields, invitationToken: token })
        if (answer.ok) welcome()
        return answer
      },
    })
  }
  const signIn = (email) => {
    say('Join with your account', `${invites} Sign in to accept.`)
    ask({
      email,
      action: 'Sign in and join',
      other: data.registered ? undefined : { label: 'I do not have an account yet', open: signUp },
      async send({ email: address, password }) {
        const signedIn = await post('auth', { email: address, password })
        if (!signedIn.ok) return signedIn
        const answer = await post('organizations/invitations/accept', { token }, signedIn.data.token)
        if (answer.ok) welcome()
        return answer
      },
    })
  }
  return data.registered ? signIn(data.email) : signUp()
}

/** Signs in to the organization that the address names, and shows what it answers to a member. */
function signInToRead(title, text, path, show) {
  const organization = Number(new URLSearchParams(location.hash.slice(1)).get('organization'))
  say(title, text)
  ask({
    email: '',
    action: 'Sign in',
    async send({ email, password }) {
      let answer = await post('auth', { email, password })
      if (answer.ok && organization && answer.data.organization?.id !== organization) {
        answer = await post(`organizations/switch/${organization}`, undefined, answer.data.token)
      }
      if (!answer.ok) return answer
      const { token: bearer, organization: school } = answer.data
      const found = await call('GET', path, undefined, bearer)
      if (found.ok) show(school.name, found.data, bearer)
      return found
    },
  })
}

function mailPreferences() {
  const text = 'Sign in to choose which notifications you get, and how.'
  signInToRead('Notification preferences', text, 'notifications/preferences', choose)
}

function stalledStudents() {
  const text = 'Sign in to see who has not completed a lesson for two weeks, and why.'
  signInToRead('Stalled students', text, 'reports/stalled', list)
}

/** Adds a row to the body of a table. Returns it. */
function addRow(body, title) {
  const row = byId(body).insertRow()
  const head = document.createElement('th')
  head.scope = 'row'
  head.textContent = title
  row.append(head)
  return row
}

/** Shows one row per student. What follows the colon of a cause is its category, or the id of a lesson. */
function list(school, students) {
  const none = `Nobody is stalled at ${school} now.`
  end('Stalled students', students.length === 0 ? none : 'Days without a completed lesson, and why.', 'open')
  byId('students').hidden = students.length === 0
  for (const { enrollment, days, cause } of students) {
    const [kind, more] = cause.replaceAll('_', ' ').split(':')
    const words = more === undefined || kind === 'repeating' ? kind : `${kind}: ${more}`
    const row = addRow('stalled', enrollment.student.name)
    for (const text of [days, words]) row.insertCell().textContent = text
  }
}

/** Shows one row per kind and one box per channel. Each change is saved at once. */
function choose(school, preferences, bearer) {
  end(
    'Notification preferences',
    `Choose which notifications of ${school} you get, and how. Changes are saved at once.`,
    'open',
  )
  byId('choices').hidden = false
  for (const { kind, ...ways } of preferences) {
    const words = kind.replaceAll('_', ' ')
    const row = addRow('kinds', `${words[0].toUpperCase()}${words.slice(1)}`)
    for (const [way, label] of [
      ['inApp', 'in the app'],
      ['push', 'by push'],
      ['email', 'by mail'],
    ]) {
      const box = document.createElement('input')
      box.type = 'checkbox'
      box.checked = ways[way]
      box.ariaLabel = `${words}, ${label}`
      box.onchange = async () => {
        const change = { preferences: [{ kind, [way]: box.checked }] }
        const { ok, message } = await call('PATCH', 'notifications/preferences', change, bearer)
        if (!ok) box.checked = !box.checked
        say('Notification preferences', ok ? `Saved: ${words}, ${label}.` : inWords(message), ok ? 'done' : 'failed')
      }
      row.insertCell().append(box)
    }
  }
}

/** The reason of a failed connection, by the code in the address. */
const failures = new Map([
  ['access_denied', 'You did not agree. Nothing was connected.'],
  ['expired', 'This took too long, or the link was used before. Please start again in your app.'],
  ['unavailable', 'The provider cannot be reached. Please try again later in your app.'],
])

function connectedAccount() {
  const query = new URLSearchParams(location.search)
  const provider =
    new Map([
      ['zoom', 'Zoom'],
      ['google', 'Google'],
    ]).get(query.get('provider')) ?? 'Your'
  const error = query.get('error')
  if (error === null) {
    end(
      `${provider} account connected`,
      'The video calls of your ground lessons are created with it. You can close this page.',
      'done',
    )
  } else
    end(
      'The account is not connected',
      failures.get(error) ?? 'The provider did not accept the connection. Please start again in your app.',
      'failed',
    )
}

if (document.body.dataset.page === 'connected-account') connectedAccount()
else if (document.body.dataset.page === 'mail-preferences') mailPreferences()
else if (document.body.dataset.page === 'stalled-students') stalledStudents()
else if (!token)
  end('This link is not complete', 'Please open it again from the mail, or copy the whole link.', 'failed')
else {
  const pages = {
    'verify-email': verifyEmail,
    'reset-password': resetPassword,
    invitation,
    'confirm-request': confirmRequest,
  }
  pages[document.body.dataset.page]()
}
