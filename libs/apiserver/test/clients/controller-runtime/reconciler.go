package main

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coreac "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const finalizer = "manager.example/record"

// siteReconciler keeps a Deployment, which a Site owns, and a record of the Site that only the finalizer removes.
type siteReconciler struct {
	client.Client
	recorder events.EventRecorder
}

func (r *siteReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var site Site
	if err := r.Get(ctx, request.NamespacedName, &site); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	record := "record-of-" + site.Name
	if !site.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.release(ctx, &site, record)
	}
	if controllerutil.AddFinalizer(&site, finalizer) {
		return ctrl.Result{}, r.Update(ctx, &site)
	}

	written := coreac.ConfigMap(record, site.Namespace).WithData(map[string]string{"image": site.Spec.Image})
	if err := r.Apply(ctx, written, client.FieldOwner("sites"), client.ForceOwnership); err != nil {
		return ctrl.Result{}, err
	}

	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: site.Name, Namespace: site.Namespace}}
	done, err := controllerutil.CreateOrPatch(ctx, r.Client, deployment, func() error {
		labels := map[string]string{"site": site.Name}
		deployment.Spec.Replicas = &site.Spec.Copies
		deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		deployment.Spec.Template.Labels = labels
		containers := deployment.Spec.Template.Spec.Containers
		if len(containers) != 1 {
			containers = []corev1.Container{{Name: "site"}}
		}
		containers[0].Image = site.Spec.Image
		deployment.Spec.Template.Spec.Containers = containers
		return controllerutil.SetControllerReference(&site, deployment, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	if done == controllerutil.OperationResultCreated {
		r.recorder.Eventf(&site, deployment, corev1.EventTypeNormal, "Deployed", "Deploy", "made deployment %s", site.Name)
	}

	before := site.DeepCopyObject().(*Site)
	site.Status.ObservedGeneration = site.Generation
	site.Status.Running = deployment.Status.Replicas
	condition := metav1.Condition{Type: "Ready", Status: metav1.ConditionFalse, Reason: "Starting"}
	if site.Status.Running == site.Spec.Copies {
		condition.Status, condition.Reason = metav1.ConditionTrue, "Running"
	}
	meta.SetStatusCondition(&site.Status.Conditions, condition)
	return ctrl.Result{}, r.Status().Patch(ctx, &site, client.MergeFrom(before))
}

// release removes what no owner reference does, and lets the Site go.
func (r *siteReconciler) release(ctx context.Context, site *Site, record string) error {
	if !controllerutil.ContainsFinalizer(site, finalizer) {
		return nil
	}
	held := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: record, Namespace: site.Namespace}}
	if err := client.IgnoreNotFound(r.Delete(ctx, held)); err != nil {
		return err
	}
	before := site.DeepCopyObject().(*Site)
	controllerutil.RemoveFinalizer(site, finalizer)
	return client.IgnoreNotFound(r.Patch(ctx, site, client.MergeFrom(before)))
}
