// A manager as controller-runtime's users write one: an elected leader that reconciles Sites of one namespace.
package main

import (
	"fmt"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func main() {
	if err := run(os.Getenv("MANAGER_NAMESPACE")); err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
	fmt.Println("stopped")
}

func run(namespace string) error {
	ctrl.SetLogger(zap.New())
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	addSiteToScheme(scheme)
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                        scheme,
		Cache:                         cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
		LeaderElection:                true,
		LeaderElectionID:              "sites",
		LeaderElectionNamespace:       namespace,
		LeaderElectionReleaseOnCancel: true,
		Metrics:                       metricsserver.Options{BindAddress: "0"},
	})
	if err != nil {
		return err
	}
	reconciler := &siteReconciler{Client: manager.GetClient(), recorder: manager.GetEventRecorder("sites")}
	if err := ctrl.NewControllerManagedBy(manager).For(&Site{}).Owns(&appsv1.Deployment{}).Complete(reconciler); err != nil {
		return err
	}
	ctx := ctrl.SetupSignalHandler()
	go func() {
		select {
		case <-manager.Elected():
			fmt.Println("elected")
		case <-ctx.Done():
		}
	}()
	return manager.Start(ctx)
}
