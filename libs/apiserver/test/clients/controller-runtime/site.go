package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var siteVersion = schema.GroupVersion{Group: "manager.example", Version: "v1"}

// Site asks for a number of copies of an image to be run.
type Site struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              SiteSpec   `json:"spec"`
	Status            SiteStatus `json:"status,omitempty"`
}

type SiteSpec struct {
	Image  string `json:"image"`
	Copies int32  `json:"copies"`
}

type SiteStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Running            int32              `json:"running"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

type SiteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Site `json:"items"`
}

func (s *Site) copyInto(out *Site) {
	*out = *s
	s.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Status.Conditions = nil
	for i := range s.Status.Conditions {
		out.Status.Conditions = append(out.Status.Conditions, *s.Status.Conditions[i].DeepCopy())
	}
}

func (s *Site) DeepCopyObject() runtime.Object {
	out := &Site{}
	s.copyInto(out)
	return out
}

func (l *SiteList) DeepCopyObject() runtime.Object {
	out := &SiteList{TypeMeta: l.TypeMeta}
	l.ListMeta.DeepCopyInto(&out.ListMeta)
	out.Items = make([]Site, len(l.Items))
	for i := range l.Items {
		l.Items[i].copyInto(&out.Items[i])
	}
	return out
}

func addSiteToScheme(scheme *runtime.Scheme) {
	scheme.AddKnownTypes(siteVersion, &Site{}, &SiteList{})
	metav1.AddToGroupVersion(scheme, siteVersion)
}
