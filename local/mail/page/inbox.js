const PAUSE_MS = 1500

const part = (id) => document.getElementById(id)
const unread = new Set()
let mails = []
let version = null
let shown = null
let asText = false

function correspondent({ name, address }) {
  return name ? `${name} <${address}>` : address
}

function recipients(mail) {
  return mail.to.map(correspondent).join(', ')
}

function shortDate(date) {
  const today = new Date().toDateString() === date.toDateString()
  const style = today ? { hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short' }
  return date.toLocaleString(undefined, style)
}

function cell(tag, className, text) {
  const element = document.createElement(tag)
  element.className = className
  element.textContent = text
  return element
}

/** The start of the mail; most begin with their subject, which is shown above already. */
function preview({ subject, text }) {
  const said = text.startsWith(subject) ? text.slice(subject.length) : text
  return said.trim().replace(/\s+/g, ' ').slice(0, 140)
}

function row(mail) {
  const date = new Date(mail.date)
  const link = document.createElement('a')
  link.href = `#${mail.id}`
  link.classList.toggle('unread', unread.has(mail.id))
  link.setAttribute('aria-current', String(mail.id === shown))
  link.append(
    cell('span', 'to', mail.to.map(({ name, address }) => name || address).join(', ')),
    cell('time', 'time', shortDate(date)),
    cell('span', 'subject', mail.subject || '(no subject)'),
    cell('span', 'preview', preview(mail)),
  )
  const item = document.createElement('li')
  item.append(link)
  return item
}

function showList() {
  const words = part('search').value.trim().toLowerCase()
  const found = mails.filter((mail) => `${mail.subject} ${recipients(mail)} ${mail.text}`.toLowerCase().includes(words))
  part('mails').replaceChildren(...found.map(row).reverse())
  part('count').textContent = String(mails.length)
  part('empty').hidden = found.length > 0
  part('empty').textContent =
    mails.length > 0 ? 'No mail matches.' : 'No mail yet. What the service sends shows up here by itself.'
  part('clear').hidden = mails.length === 0
  document.title = unread.size > 0 ? `Inbox (${unread.size})` : 'Inbox'
}

function showMail() {
  const mail = mails.find(({ id }) => id === location.hash.slice(1))
  part('mail').hidden = !mail
  part('nothing').hidden = Boolean(mail) || mails.length === 0
  if (mail && mail.id !== shown) {
    part('subject').textContent = mail.subject || '(no subject)'
    part('from').textContent = correspondent(mail.from)
    part('to').textContent = recipients(mail)
    part('date').textContent = new Date(mail.date).toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'medium' })
    part('text').textContent = mail.text
    part('html').src = mail.html ? `/email/${mail.id}/html` : 'about:blank'
    part('show-html').disabled = !mail.html
    unread.delete(mail.id)
  }
  shown = mail?.id ?? null
  showPart(mail)
}

function showPart(mail) {
  const text = asText || !mail?.html
  part('html').hidden = text
  part('text').hidden = !text
  part('show-html').setAttribute('aria-pressed', String(!text))
  part('show-text').setAttribute('aria-pressed', String(text))
}

function show() {
  showMail()
  showList()
}

async function refresh() {
  const answer = await fetch('/email')
  if (!answer.ok) throw new Error(`The inbox answered ${answer.status}.`)
  if (answer.headers.get('etag') === version) return
  const known = new Set(mails.map(({ id }) => id))
  const first = version === null
  mails = await answer.json()
  version = answer.headers.get('etag')
  const present = new Set(mails.map(({ id }) => id))
  for (const id of present) if (!first && !known.has(id)) unread.add(id)
  for (const id of unread) if (!present.has(id)) unread.delete(id)
  show()
}

async function watch() {
  const status = part('status')
  const usual = status.textContent
  for (;;) {
    const lost = await refresh().then(
      () => false,
      () => true,
    )
    status.textContent = lost ? 'The mail catcher does not answer. Trying again.' : usual
    status.classList.toggle('lost', lost)
    await new Promise((resume) => setTimeout(resume, PAUSE_MS))
  }
}

async function remove(path) {
  await fetch(path, { method: 'DELETE' })
  await refresh()
}

addEventListener('hashchange', show)
part('back').addEventListener('click', () => {
  location.hash = ''
})
part('search').addEventListener('input', showList)
part('clear').addEventListener('click', () => remove('/email'))
part('delete').addEventListener('click', () => remove(`/email/${shown}`))
for (const [id, choice] of [
  ['show-html', false],
  ['show-text', true],
]) {
  part(id).addEventListener('click', () => {
    asText = choice
    show()
  })
}

watch()
