"""The handlers of the comparison, for Kopf. The scenario of an object is its label."""

import asyncio
import json
import os

import kopf

WIDGETS = ("demo.example", "v1", "widgets")


@kopf.on.startup()
def configure(settings, **_):
    # No peers: the comparison runs one operator of each kind.
    settings.peering.standalone = True


def scenario(name):
    return {"labels": {"scenario": name}}


def call(name, what, retry):
    line = "CALL " + json.dumps([name, what if retry == 0 else f"{what}, again"]) + "\n"
    # In one piece: handlers print from several threads.
    os.write(1, line.encode())


@kopf.on.create(*WIDGETS, **scenario("creation"))
def made(name, retry, **_):
    call(name, "create", retry)
    return {"done": True}


@kopf.on.update(*WIDGETS, field="spec.n", **scenario("update"))
def changed(name, retry, old, new, **_):
    call(name, f"update {old} to {new}", retry)
    return {"n": new}


@kopf.on.update(*WIDGETS, field="spec.n", **scenario("two-handlers"))
def first_of_two(name, retry, **_):
    call(name, "update by the first", retry)


@kopf.on.update(*WIDGETS, field="spec.n", **scenario("two-handlers"))
def second_of_two(name, retry, **_):
    call(name, "update by the second", retry)
    if retry < 2:
        raise kopf.TemporaryError("not yet", delay=1)


@kopf.on.create(*WIDGETS, **scenario("retries"))
def repeated(name, retry, **_):
    call(name, "create", retry)
    if retry < 2:
        raise kopf.TemporaryError("not yet", delay=1)


@kopf.on.create(*WIDGETS, **scenario("permanent"))
def given_up(name, retry, **_):
    call(name, "create", retry)
    raise kopf.PermanentError("never")


@kopf.on.update(*WIDGETS, field="spec.n", **scenario("permanent"))
def changed_after_giving_up(name, retry, old, new, **_):
    call(name, f"update {old} to {new}", retry)


@kopf.on.create(*WIDGETS, **scenario("slow"))
async def slow(name, retry, spec, **_):
    call(name, f"create with {spec['n']}", retry)
    await asyncio.sleep(4)


@kopf.on.update(*WIDGETS, field="spec.n", **scenario("slow"))
def changed_while_slow(name, retry, old, new, **_):
    call(name, f"update {old} to {new}", retry)


@kopf.on.create(*WIDGETS, **scenario("own-patch"))
def completes(name, retry, patch, **_):
    call(name, "create", retry)
    patch.spec["n"] = 100


@kopf.on.update(*WIDGETS, field="spec.n", **scenario("own-patch"))
def changed_by_itself(name, retry, old, new, **_):
    call(name, f"update {old} to {new}", retry)


@kopf.on.create(*WIDGETS, **scenario("status-of-others"))
def made_before_status(name, retry, **_):
    call(name, "create", retry)


@kopf.on.update(*WIDGETS, **scenario("status-of-others"))
def changed_status(name, retry, **_):
    call(name, "update", retry)


@kopf.on.create(*WIDGETS, **scenario("restart"))
def across_restart(name, retry, **_):
    call(name, "create", retry)
    if retry < 1:
        raise kopf.TemporaryError("after the restart", delay=8)


@kopf.on.create(*WIDGETS, **scenario("downtime"))
def made_before_downtime(name, retry, **_):
    call(name, "create", retry)


@kopf.on.update(*WIDGETS, field="spec.n", **scenario("downtime"))
def changed_in_downtime(name, retry, old, new, **_):
    call(name, f"update {old} to {new}", retry)


@kopf.on.delete(*WIDGETS, **scenario("downtime"))
def deleted_in_downtime(name, retry, **_):
    call(name, "delete", retry)
