import { Migration } from '@mikro-orm/migrations'

/**
 * One log of what happened. Rows are added and read; the owner's function deletes those older than seven years, which the
 * trigger lets go as well, and a deleted organization takes its own along.
 */
export class Migration20261122103755_events extends Migration {
  override up(): void {
    this.addSql(`
      create table event (
        organization_id integer not null references organization (id) on delete cascade,
        id uuid not null,
        sequence bigint generated always as identity,
        at timestamptz(3) not null,
        kind text not null check (kind ~ '^[a-z_]+[.][a-z_]+$'),
        actor_kind text not null check (actor_kind in ('person', 'key', 'system')),
        membership_id integer,
        actor_name text,
        address text,
        request_id text,
        subject_kind text not null,
        subject_id integer not null,
        before jsonb,
        after jsonb,
        reason text,
        primary key (organization_id, id),
        foreign key (organization_id, membership_id) references membership (organization_id, id)
      )`)
    this.addSql('create unique index event_in_order on event (organization_id, sequence)')
    this.addSql('create index event_subject on event (organization_id, subject_kind, subject_id, sequence)')
    this.addSql(
      'create index event_member on event (organization_id, membership_id, sequence) where membership_id is not null',
    )
    this.addSql('create index event_at on event using brin (at)')
    this.addSql(`
      create function refuse_event_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' and (old.at < now() - interval '7 years'
            or not exists (select 1 from organization where id = old.organization_id)) then
          return old;
        end if;
        raise exception 'event is append-only' using errcode = 'restrict_violation';
      end $$`)
    this.addSql(
      'create trigger append_only before update or delete on event for each row execute function refuse_event_change()',
    )
    this.addSql(`
      create function purge_events(older_than timestamptz, most integer) returns integer
        language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        purged integer;
      begin
        delete from event where ctid = any(array(
          select ctid from event where at < least(older_than, now() - interval '7 years')
          limit most for update skip locked));
        get diagnostics purged = row_count;
        return purged;
      end $$`)
    this.addSql('revoke all on function purge_events from public')
  }
}
