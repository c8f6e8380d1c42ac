"""An operator for claims of short-lived volumes, as Kopf's tutorial teaches it.

Each EphemeralVolumeClaim gets a PersistentVolumeClaim that it owns. The size and the labels follow the claim, and the
garbage collector removes the volume claim together with its owner.
"""

import kopf
import kubernetes

RESOURCE = ("kopf.example", "v1", "ephemeralvolumeclaims")


@kopf.on.create(*RESOURCE)
def create_volume_claim(spec, name, namespace, body, logger, **_):
    size = spec.get("size")
    if not size:
        raise kopf.PermanentError("the claim names no size")
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": name},
        "spec": {
            "accessModes": ["ReadWriteOnce"],
            "storageClassName": spec.get("storageClassName"),
            "resources": {"requests": {"storage": size}},
        },
    }
    kopf.adopt(claim, owner=body)
    made = kubernetes.client.CoreV1Api().create_namespaced_persistent_volume_claim(namespace, claim)
    logger.info("made the volume claim %s", made.metadata.name)
    return {"volumeClaim": made.metadata.name}


@kopf.on.update(*RESOURCE, field="spec.size")
def resize_volume_claim(new, status, namespace, **_):
    name = status["create_volume_claim"]["volumeClaim"]
    patch = {"spec": {"resources": {"requests": {"storage": new}}}}
    kubernetes.client.CoreV1Api().patch_namespaced_persistent_volume_claim(name, namespace, patch)
    return {"size": new}


@kopf.on.field(*RESOURCE, field="metadata.labels")
def relay_labels(diff, status, namespace, **_):
    if "create_volume_claim" not in status:
        return
    labels = {field[0]: new for _op, field, _old, new in diff if field}
    patch = {"metadata": {"labels": labels}}
    name = status["create_volume_claim"]["volumeClaim"]
    kubernetes.client.CoreV1Api().patch_namespaced_persistent_volume_claim(name, namespace, patch)


@kopf.on.resume(*RESOURCE)
def take_up_again(status, patch, **_):
    patch.status["resumed"] = status.get("resumed", 0) + 1


@kopf.on.delete(*RESOURCE)
def say_goodbye(body, **_):
    kopf.event(body, type="Normal", reason="Removed", message="the volume claim goes with its owner")
