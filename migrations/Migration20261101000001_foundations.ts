import { Migration } from '@mikro-orm/migrations'

/** Extensions, the guard of append-only tables, the outbox and the idempotency keys. */
export class Migration20261101000001_foundations extends Migration {
  override up(): void {
    this.addSql('create extension if not exists btree_gin')
    this.addSql('create extension if not exists btree_gist')
    this.addSql('create extension if not exists pg_trgm')
    // Rows of such a table go only with their whole organization.
    this.addSql(`
      create function refuse_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' and not exists (select 1 from organization where id = old.organization_id) then
          return old;
        end if;
        raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
      end $$`)
    this.addSql(`
      create table outbox (
        id uuid primary key,
        job text not null,
        organization_id integer,
        payload jsonb not null,
        available_at timestamptz(3) not null default now(),
        handed_over_at timestamptz(3),
        failed_at timestamptz(3),
        created_at timestamptz(3) not null default now()
      )`)
    this.addSql('create index outbox_owed on outbox (available_at) where failed_at is null')
    this.addSql(`
      create table idempotency_key (
        owner text not null,
        key text not null,
        organization_id integer,
        fingerprint text not null,
        locked_until timestamptz(3) not null,
        outcome jsonb,
        status smallint,
        answer text,
        created_at timestamptz(3) not null default now(),
        primary key (owner, key)
      )`)
    this.addSql('create index idempotency_key_age on idempotency_key (created_at)')
    this.addSql('create index idempotency_key_organization on idempotency_key (organization_id)')
  }
}
